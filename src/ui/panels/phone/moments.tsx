import type { PodValue } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../../model/film/film.ts';
import { clock } from '../../model/format.ts';
import { Glyph } from '../../parts/glyph.tsx';
import { useLanguage, useT } from '../../parts/i18n.ts';
import { momentWords, toneClass, type MomentWords } from '../../parts/moment-words.ts';
import parts from '../../parts/parts.module.css';
import { useFilm } from '../../store/film.ts';
import { seek, useCalmCursor } from '../../store/playback.ts';
import { useSelectedPod } from '../../store/selection.ts';
import type { Language } from '../../store/view.ts';
import { messages } from './messages.ts';
import styles from './phone.module.css';

interface Row {
  key: string;
  at: SimTime;
  words: MomentWords;
  state: string;
}

const most = 200;

/** Time as a list, newest first; the band of the pod's state is its rail. */
export function MomentList() {
  const t = useT(messages);
  const language = useLanguage();
  const film = useFilm();
  const cursor = useCalmCursor();
  const podUid = useSelectedPod();
  const rows = rowsOf(film, podUid, cursor, language);
  if (rows.length === 0) return <div className={parts.empty}><b>{t('nothing-title')}</b><span>{t('nothing-text')}</span></div>;
  const now = rows[0]?.at;
  return (
    <ol className={styles.list} aria-label={podUid === undefined ? t('all-moments') : t('moments-of', { name: film.lane(`pod/${podUid}`)?.label ?? '' })}>
      {rows.map((row) => (
        <li key={row.key}>
          <button type="button" className={`${styles.moment} ${row.at === now ? styles.now : ''}`} data-state={row.words.tone} onClick={() => seek(row.at)}>
            <time className={styles.at}>{clock(row.at)}</time><span className={styles.rail} data-state={row.state} />
            <Glyph name={row.words.icon} className={toneClass(row.words.tone)} />
            <span className={styles.words}><b>{podUid === undefined ? `${row.words.subject} ${row.words.title}` : row.words.title}</b>{row.words.detail !== '' && <small>{row.words.detail}</small>}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function rowsOf(film: Film, podUid: string | undefined, until: SimTime, language: Language): Row[] {
  const rows: Row[] = [];
  const all = film.momentsBetween(0, until);
  for (let index = all.length - 1; index >= 0 && rows.length < most; index -= 1) {
    const moment = all[index];
    if (moment === undefined || (podUid !== undefined && moment.lane.podUid !== podUid && moment.lane.kind !== 'inputs')) continue;
    const words = momentWords(moment, language);
    if (words === undefined) continue;
    const uid = podUid ?? moment.lane.podUid;
    const value = uid === undefined ? undefined : (film.valueAt(`pod/${uid}`, moment.at) as PodValue | undefined);
    rows.push({ key: `${moment.lane.id} ${moment.at} ${index}`, at: moment.at, words, state: value?.tone ?? '' });
  }
  return rows;
}
