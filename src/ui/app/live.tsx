import { useEffect, useRef, useState } from 'react';
import { momentWords } from '../parts/moment-words.ts';
import { useLanguage } from '../parts/i18n.ts';
import { film } from '../store/film.ts';
import { cursor, usePlayback } from '../store/playback.ts';
import { podOfLane, selectionStore } from '../store/selection.ts';

/** For screen readers: what the newest transition at the playhead is, at most once a second. */
export function Live() {
  const language = useLanguage();
  const [text, setText] = useState('');
  const seen = useRef(0);
  const at = usePlayback((state) => film().previousMoment(state.cursor + 1));
  const playing = usePlayback((state) => state.playing);
  useEffect(() => {
    const later = setTimeout(() => {
      if (at === undefined || at === seen.current) return;
      seen.current = at;
      const podUid = podOfLane(selectionStore.getState().lane);
      const moments = film().momentsBetween(at, Math.min(at, cursor()));
      const moment = moments.find((item) => item.transition && item.lane.podUid === podUid) ?? moments.find((item) => item.transition) ?? moments[0];
      const words = moment === undefined ? undefined : momentWords(moment, language);
      if (words !== undefined) setText(`${words.subject} ${words.title}`);
    }, playing ? 1000 : 150);
    return () => clearTimeout(later);
  }, [at, language, playing]);
  return <div className="sr-only" role="status" aria-live="polite">{text}</div>;
}
