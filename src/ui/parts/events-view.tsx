import { humanDuration } from '../../api/duration.ts';
import type { SimTime } from '../../sim/time.ts';
import { clock } from '../model/format.ts';
import { seek } from '../store/playback.ts';
import { selectPod } from '../store/selection.ts';
import type { EventRow } from './event-rows.ts';
import { Glyph } from './glyph.tsx';
import { useT } from './i18n.ts';
import { messages } from './reading-messages.ts';
import styles from './reading.module.css';

/** '2m (x5 over 4m)', as kubectl prints an event's age. */
export function eventAge({ value, firstAt, lastAt }: EventRow, now: SimTime): string {
  const last = humanDuration(Math.max(0, now - lastAt));
  return value.count > 1 ? `${last} (x${value.count} over ${humanDuration(Math.max(0, now - firstAt))})` : last;
}

interface EventsProps {
  rows: readonly EventRow[];
  now: SimTime;
  selectedPod?: string | undefined;
}

const most = 400;

/** All columns: for the drawer. */
export function EventTable({ rows, now, selectedPod }: EventsProps) {
  const t = useT(messages);
  if (rows.length === 0) return <NoEvents />;
  const jump = (row: EventRow) => {
    if (row.podUid !== undefined) selectPod(row.podUid);
    seek(row.lastAt);
  };
  return (
    <div className={styles.tableWrap}>
      <table className={styles.table}>
        <thead><tr><th>{t('type')}</th><th className={styles.reason}>{t('reason')}</th><th className={styles.age}>{t('age')}</th><th className={styles.from}>{t('from')}</th><th className={styles.object}>{t('object')}</th><th>{t('message')}</th></tr></thead>
        <tbody lang="en">
          {rows.slice(0, most).map((row) => (
            <tr key={row.key} data-selected={row.podUid !== undefined && row.podUid === selectedPod}>
              <td><Glyph name="flag" size={14} className={row.value.type === 'Warning' ? 'warn' : 'i3'} /><span className="sr-only">{row.value.type}</span></td>
              <td><button type="button" className={styles.jump} title={t('jump', { at: clock(row.lastAt) })} onClick={() => jump(row)}>{row.value.reason}</button></td>
              <td className={styles.age}>{eventAge(row, now)}</td>
              <td className={`${styles.from} i2`}>{row.value.source}</td>
              <td className={`${styles.object} i2`} title={row.value.object}>{row.value.object}</td>
              <td className="mono" title={row.value.message}>{row.value.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && <p className={styles.more}>{t('more', { count: rows.length - most })}</p>}
    </div>
  );
}

/** One above the other: for narrow panels. */
export function EventList({ rows, now }: EventsProps) {
  const t = useT(messages);
  if (rows.length === 0) return <NoEvents />;
  return (
    <ul className={styles.list} lang="en">
      {rows.slice(0, most).map((row) => (
        <li key={row.key}>
          <button type="button" className={styles.row} title={t('jump', { at: clock(row.lastAt) })} onClick={() => seek(row.lastAt)}>
            <Glyph name="flag" size={12} className={row.value.type === 'Warning' ? 'warn' : 'i3'} />
            <b>{row.value.reason}{row.value.type === 'Warning' && <span className="sr-only"> Warning</span>}</b>
            <span className={styles.age}>{eventAge(row, now)}</span>
            <p>{row.value.message}</p>
            <small>{row.value.source}{row.value.fieldPath === undefined ? '' : `, ${row.value.fieldPath}`}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

function NoEvents() {
  const t = useT(messages);
  return <div className={styles.center}><b>{t('no-events')}</b>{t('no-events-text')}</div>;
}
