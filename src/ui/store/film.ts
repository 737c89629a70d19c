import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { Film } from '../model/film/film.ts';
import type { FilmDelta } from '../../worker/protocol.ts';

export { Film } from '../model/film/film.ts';
export type { Branch, Ghost, LaneData, Mark, Present, ProbeTick, Span } from '../model/film/film.ts';
export type { Moment } from '../model/film/moments.ts';

/** The film object is one and mutable; `version` is what views depend on. It rises at most once an animation frame. */
export interface FilmState {
  film: Film;
  version: number;
}

export const filmStore = createStore<FilmState>()(() => {
  const film = new Film();
  return { film, version: film.version };
});

/** The film now, for code outside of rendering. */
export const film = (): Film => filmStore.getState().film;

/** Takes a delta at once; views hear of it with the next frame. */
export function receiveDelta(delta: FilmDelta): void {
  film().apply(delta);
  announce();
}

/** Starts over with an empty film. */
export function resetFilm(): void {
  const fresh = new Film();
  filmStore.setState({ film: fresh, version: fresh.version });
}

/** Renders again when the film has grown. */
export function useFilm(): Film {
  useStore(filmStore, (state) => state.version);
  return useStore(filmStore, (state) => state.film);
}

export function useFilmVersion(): number {
  return useStore(filmStore, (state) => state.version);
}

let announced = false;

function announce(): void {
  if (announced) return;
  announced = true;
  nextFrame(() => {
    announced = false;
    const state = filmStore.getState();
    if (state.version !== state.film.version) filmStore.setState({ version: state.film.version });
  });
}

/** A hidden tab has no frames: then a timer, so that the film still arrives. */
function nextFrame(run: () => void): void {
  if (typeof requestAnimationFrame === 'function' && typeof document !== 'undefined' && !document.hidden) requestAnimationFrame(run);
  else setTimeout(run, 50);
}
