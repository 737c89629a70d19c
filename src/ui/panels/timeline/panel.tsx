import { useCursor, usePlayback, seek } from '../../store/playback.ts';
import { useFilm } from '../../store/film.ts';
import { selectLane, selectPod, useSelectedPod, useSelection } from '../../store/selection.ts';
import { useView } from '../../store/view.ts';
import { MomentList } from './moment-list.tsx';
import { Timeline } from './timeline.tsx';

/** The timeline, joined to the page's stores. `fog`: a question is open and the future stays hidden. */
export function TimelinePanel({ fog = false }: { fog?: boolean }) {
  const film = useFilm();
  const cursor = useCursor();
  const playing = usePlayback((state) => state.playing);
  const selectedPod = useSelectedPod();
  const selectedLane = useSelection((state) => state.lane);
  const language = useView((state) => state.language);
  const presenter = useView((state) => state.presenter);
  const filter = useView((state) => state.filter);
  return (
    <Timeline
      film={film} version={film.version} cursor={cursor} playing={playing} selectedPod={selectedPod} selectedLane={selectedLane} language={language} presenter={presenter} filter={filter} fog={fog}
      onSeek={seek} onSelectPod={selectPod} onSelectLane={selectLane}
    />
  );
}

/** The phone's Time view, joined to the page's stores. */
export function MomentListPanel() {
  const film = useFilm();
  return <MomentList film={film} version={film.version} cursor={useCursor()} podUid={useSelectedPod()} language={useView((state) => state.language)} onSeek={seek} />;
}
