import { useEffect, useRef, useState } from 'react';
import type { SchedulingDecision } from '../../../cluster/notes.ts';
import type { Film } from '../../model/film/film.ts';
import { askOnce } from '../../store/answers.ts';
import { useFilm } from '../../store/film.ts';
import { useCursor, usePlayback } from '../../store/playback.ts';
import { selectLane, selectPod, useSelectedPod, useSelection } from '../../store/selection.ts';
import { setView, useView } from '../../store/view.ts';
import { ClusterMap, type ClusterMapProps } from './cluster-map.tsx';

const fastest = 20;

/** The cluster map, joined to the page's stores. */
export function ClusterMapPanel({ onMenu, bare = false }: Pick<ClusterMapProps, 'onMenu' | 'bare'>) {
  const film = useFilm();
  const cursor = useCursor();
  const fast = usePlayback((state) => state.playing && state.speed > fastest);
  const lane = useSelection((state) => state.lane);
  const language = useView((state) => state.language);
  const theme = useView((state) => state.theme);
  const filter = useView((state) => state.filter);
  const before = useRef(cursor);
  const back = cursor < before.current;
  useEffect(() => {
    before.current = cursor;
  }, [cursor]);
  return (
    <ClusterMap
      film={film} version={film.version} cursor={cursor} selectedPod={useSelectedPod()} selectedLane={lane} language={language} theme={theme}
      still={fast || back} glow={fast} decision={useDecision(film, cursor)} filter={filter} onFilter={setFilter} bare={bare} onSelectPod={selectPod} onSelectLane={selectLane} {...(onMenu === undefined ? {} : { onMenu })}
    />
  );
}

const setFilter = (filter: string): void => setView({ filter });

/** Why the oldest waiting pod fits nowhere, node by node: asked once for each new verdict. */
function useDecision(film: Film, cursor: number): SchedulingDecision | undefined {
  const [decision, setDecision] = useState<SchedulingDecision>();
  const waiting = film.podsAt(cursor).find(({ value }) => value.node === undefined && value.message !== undefined);
  const podUid = waiting?.lane.podUid;
  const since = waiting?.from ?? 0;
  useEffect(() => {
    if (podUid === undefined) return undefined;
    let alive = true;
    askOnce({ about: 'decision', podUid, at: since }).then(
      (answer) => {
        if (alive) setDecision(answer.decision ?? undefined);
      },
      () => {},
    );
    return () => {
      alive = false;
    };
  }, [podUid, since]);
  return decision;
}
