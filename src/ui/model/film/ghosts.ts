import type { SimTime } from '../../../sim/time.ts';
import type { Film } from './film.ts';
import type { Branch, Ghost } from './parts.ts';
import { countBefore } from './series.ts';

/** The old future of each pod: its state at the fork and what followed. A branch that is shown again is no ghost any more. */
export function keepGhosts(film: Film, from: SimTime, next: number): void {
  for (const [laneId, ghosts] of film.ghosts) film.ghosts.set(laneId, ghosts.filter((ghost) => ghost.branch !== next && ghost.branch !== film.branch));
  for (const { lane, spans } of film.lanesOfKind('pod')) {
    const kept: Ghost['spans'] = [];
    for (let index = Math.max(0, countBefore(spans.at, from, true) - 1); index < spans.at.length; index += 1) {
      kept.push({ at: Math.max(from, spans.at[index] ?? 0), value: film.value(spans.value[index] ?? -1) });
    }
    if (kept.every((span) => span.value === undefined)) continue;
    film.ghosts.set(lane.id, [...(film.ghosts.get(lane.id) ?? []), { branch: film.branch, from, until: film.head, spans: kept }]);
  }
}

/** Where two branches part: the fork of the one that came from the other. */
export function forkBetween(a: number, b: number, branches: readonly Branch[]): SimTime {
  const find = (id: number) => branches.find((branch) => branch.id === id);
  if (find(b)?.forkedFrom === a) return find(b)?.forkAt ?? 0;
  if (find(a)?.forkedFrom === b) return find(a)?.forkAt ?? 0;
  return Math.min(find(a)?.forkAt ?? 0, find(b)?.forkAt ?? 0);
}
