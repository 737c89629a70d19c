import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../../model/film/film.ts';
import { length } from '../../model/format.ts';
import { summarize } from '../../model/timeline/summary.ts';
import { toX, type Viewport } from '../../model/timeline/track.ts';
import { Glyph } from '../../parts/glyph.tsx';
import type { Say } from './props.ts';
import styles from './timeline.module.css';

/** Sums of the selected range, beside its band. Numbers inside the sentences are strong. */
export function RangeSummary({ film, range, podUid, view, say, onClear }: {
  film: Film; range: readonly [SimTime, SimTime]; podUid: string | undefined; view: Viewport; say: Say; onClear: () => void;
}) {
  const sum = summarize(film, range[0], range[1], podUid);
  const parts: string[] = [say({ key: 'selected', values: { length: exactly(sum.ms) } })];
  if (sum.passed + sum.failed > 0) parts.push(say({ key: 'probes-in-range', values: { passed: sum.passed, failed: sum.failed } }));
  if (podUid !== undefined && sum.readyMs > 0) parts.push(say({ key: 'ready-for', values: { length: length(sum.readyMs) } }));
  if (sum.restarts > 0) parts.push(say({ key: 'restarts', values: { count: sum.restarts } }));
  if (sum.requests > 0) parts.push(say({ key: 'requests-in-range', values: { count: sum.requests, failed: sum.requestsFailed } }));
  const left = toX(view, range[0]);
  const place = left > 420 ? { right: view.widthPx - left + 6 } : { left: Math.max(6, Math.min(toX(view, range[1]) + 8, view.widthPx - 380)) };
  return (
    <div className={styles.summary} style={{ top: 47, ...place }} role="status">
      {parts.map((part, index) => <span key={part} style={{ display: 'contents' }}>{index > 0 && <i />}<span>{strong(part)}</span></span>)}
      <button type="button" aria-label={say({ key: 'clear-range' })} onClick={onClear}><Glyph name="close" /></button>
    </div>
  );
}

const exactly = (ms: number): string => (ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : length(ms));

function strong(text: string) {
  return text.split(/(\d[\d.]*(?: m?s\b)?(?:m\d+s)?)/).map((part, index) => (index % 2 === 1 ? <b key={`${index}${part}`}>{part}</b> : part));
}
