import { useCallback, useEffect, useRef, useState, type PointerEvent, type ReactNode } from 'react';
import type { Track } from '../../model/timeline/track.ts';
import styles from './timeline.module.css';

export interface Scroll {
  top: number;
  by: (px: number) => void;
  to: (px: number) => void;
  bar: ReactNode;
}

/** Rows are scrolled by us, not by the browser: labels and canvas then move in the same frame. */
export function useScroll(contentPx: number, visiblePx: number): Scroll {
  const most = Math.max(0, contentPx - Math.max(0, visiblePx));
  const [wanted, setWanted] = useState(0);
  const top = Math.min(wanted, most);
  const limit = useRef(most);
  limit.current = most;
  const to = useCallback((px: number) => setWanted(Math.min(limit.current, Math.max(0, px))), []);
  const by = useCallback((px: number) => setWanted((old) => Math.min(limit.current, Math.max(0, Math.min(old, limit.current) + px))), []);
  const drag = useRef<number>(undefined);
  const length = Math.max(24, (visiblePx / Math.max(1, contentPx)) * visiblePx);
  const offset = most === 0 ? 0 : (top / most) * (visiblePx - length);
  const move = (event: PointerEvent) => {
    if (drag.current === undefined) return;
    by(((event.clientY - drag.current) / Math.max(1, visiblePx - length)) * most);
    drag.current = event.clientY;
  };
  const bar = most > 0 && visiblePx > 40 && (
    <div
      className={styles.scrollbar} style={{ bottom: visiblePx - offset - length, height: length - 4 }} aria-hidden="true" onPointerMove={move}
      onPointerDown={(event) => {
        event.stopPropagation();
        event.nativeEvent.stopImmediatePropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = event.clientY;
      }}
      onPointerUp={() => {
        drag.current = undefined;
      }}
    />
  );
  return { top, by, to, bar };
}

/**
 * When the selection opens and closes rows above, the selected row stays where it was on screen; a row that was out of sight is brought in.
 */
export function useKeepSelectedInSight(tracks: readonly Track[], selectedPod: string | undefined, scroll: Scroll, visiblePx: number): void {
  const last = useRef<{ pod: string | undefined; tracks: readonly Track[]; top: number }>({ pod: undefined, tracks: [], top: 0 });
  const { top, to } = scroll;
  useEffect(() => {
    const before = last.current;
    last.current = { pod: selectedPod, tracks, top };
    if (selectedPod === undefined || before.pod === selectedPod || visiblePx <= 0) return;
    const row = tracks.find((track) => track.kind === 'pod' && track.podUid === selectedPod);
    const old = before.tracks.find((track) => track.kind === 'pod' && track.podUid === selectedPod);
    if (row === undefined) return;
    const oldY = old === undefined ? -1 : old.y - before.top;
    if (oldY >= 0 && oldY < visiblePx - row.height) to(row.y - oldY);
    else to(row.y - visiblePx / 4);
  });
}
