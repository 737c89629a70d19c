import { clock } from '../../model/format.ts';
import { Glyph } from '../../parts/glyph.tsx';
import { useLanguage, useT } from '../../parts/i18n.ts';
import { toneClass } from '../../parts/moment-words.ts';
import parts from '../../parts/parts.module.css';
import { useFilm } from '../../store/film.ts';
import { seek, useCalmCursor } from '../../store/playback.ts';
import { useSelectedPod } from '../../store/selection.ts';
import { messages } from './messages.ts';
import { rowsOf } from './rows.ts';
import styles from './phone.module.css';

/** Time as a list, newest first; the band of the pod's state is its rail. */
export function MomentList() {
  const t = useT(messages);
  const language = useLanguage();
  const film = useFilm();
  const cursor = useCalmCursor();
  const podUid = useSelectedPod();
  const rows = rowsOf(film, podUid, cursor, language, t);
  if (rows.length === 0) return <div className={parts.empty}><b>{t('nothing-title')}</b><span>{t('nothing-text')}</span></div>;
  return (
    <ol className={styles.list} aria-label={podUid === undefined ? t('all-moments') : t('moments-of', { name: film.lane(`pod/${podUid}`)?.label ?? '' })}>
      {rows.map((row, index) => (
        <li key={row.key}>
          <button type="button" className={`${styles.moment} ${index === 0 ? styles.now : ''} ${row.folded ? styles.fold : ''}`} data-state={row.words.tone} onClick={() => seek(row.at)}>
            <time className={styles.at}>{clock(row.at)}</time><span className={styles.rail} data-state={row.state} />
            <Glyph name={row.words.icon} className={toneClass(row.words.tone)} />
            <span className={styles.words}><b>{podUid === undefined ? `${row.words.subject} ${row.words.title}` : row.words.title}</b>{row.words.detail !== '' && <small>{row.words.detail}</small>}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
