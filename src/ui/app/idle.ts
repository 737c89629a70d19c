import { film } from '../store/film.ts';
import { playbackStore } from '../store/playback.ts';
import { sessionStore } from '../store/session.ts';

declare global {
  interface Window {
    __kubelapse?: { whenIdle(): Promise<void>; state(): { cursor: number; head: number; status: string } };
  }
}

/** For browser tests: a promise for the moment when the film is there and what is on screen has settled. */
export function installIdle(): void {
  window.__kubelapse = {
    state: () => ({ cursor: playbackStore.getState().cursor, head: film().head, status: sessionStore.getState().status }),
    whenIdle: async () => {
      for (let quiet = 0, version = -1; quiet < 4;) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        const settled = sessionStore.getState().status !== 'loading' && film().version === version && !playbackStore.getState().playing;
        quiet = settled ? quiet + 1 : 0;
        version = film().version;
      }
    },
  };
}
