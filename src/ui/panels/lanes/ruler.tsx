import type { SimTime } from '../../../sim/time.ts';
import { clock } from '../../model/format.ts';
import { rulerSteps } from '../../model/timeline/scale.ts';
import { msPerPx, toX, type Viewport } from '../../model/timeline/track.ts';
import styles from './lanes.module.css';

/** Times above the lines, with the playhead's own. */
export function Ruler({ view, cursor }: { view: Viewport; cursor: SimTime }) {
  const { major, decimals } = rulerSteps(msPerPx(view), 84);
  const marks: SimTime[] = [];
  for (let at = Math.ceil(view.from / major) * major; at <= view.until; at += major) marks.push(at);
  const edge = (x: number) => Math.max(34, Math.min(view.widthPx - 34, x));
  const shown = cursor >= view.from && cursor <= view.until;
  return (
    <div className={styles.ruler} aria-hidden="true">
      <div>
        {marks.map((at) => <span key={at} style={{ left: edge(toX(view, at)) }}>{clock(at, decimals)}</span>)}
        {shown && <b style={{ left: edge(toX(view, cursor)) }}>{clock(cursor, major < 1000 ? 3 : 1)}</b>}
      </div>
    </div>
  );
}
