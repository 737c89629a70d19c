import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../../model/film/film.ts';
import { clock } from '../../model/format.ts';
import { dragWindow, panShare, useViewport, viewportStore, zoomBy } from '../../store/viewport.ts';
import { drawMinimap } from './paint/minimap.ts';
import type { Say } from './props.ts';
import styles from './timeline.module.css';
import { prepare, usePalette, useSize } from '../../parts/use-canvas.ts';

interface MinimapProps {
  film: Film;
  version: number;
  cursor: SimTime;
  selectedPod: string | undefined;
  fog: boolean;
  say: Say;
}

/** End of the axis: the planned end, or the newest simulated moment if that is later. */
export const filmEnd = (film: Film, cursor: SimTime): SimTime => Math.max(film.untilMs, film.head, cursor, 10_000);

export function Minimap({ film, version, cursor, selectedPod, fog, say }: MinimapProps) {
  const wrap = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = usePalette(wrap);
  const size = useSize(wrap);
  const view = useViewport((state) => state.view);
  const until = filmEnd(film, cursor);
  useLayoutEffect(() => {
    if (canvas.current === null || palette === undefined || size.width === 0) return;
    const c = prepare(canvas.current, size);
    if (c !== null) drawMinimap(c, palette, { film, view, cursor, until, fog, ...(selectedPod === undefined ? {} : { selectedLane: `pod/${selectedPod}` }) }, size.width, size.height);
  }, [film, version, view, cursor, until, fog, selectedPod, palette, size]);
  useMinimapDrag(wrap, until);
  const keys = (event: KeyboardEvent) => {
    const action = { ArrowLeft: () => panShare(-0.1), ArrowRight: () => panShare(0.1), '+': () => zoomBy(1.25), '=': () => zoomBy(1.25), '-': () => zoomBy(0.8) }[event.key];
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  return (
    <div className={styles.mini}>
      <span className={styles.miniLabel}>{say({ key: 'whole-run' })}<span className={styles.push}>{clock(until, 0)}</span></span>
      <div
        ref={wrap} className={styles.miniMap} tabIndex={0} role="slider" aria-label={say({ key: 'minimap' })} aria-valuemin={0} aria-valuemax={Math.round(until / 1000)}
        aria-valuenow={Math.round(view.from / 1000)} aria-valuetext={say({ key: 'window', values: { from: clock(view.from), until: clock(view.until) } })} onKeyDown={keys}
      >
        <canvas ref={canvas} aria-hidden="true" />
      </div>
    </div>
  );
}

type Grip = 'from' | 'until' | 'middle';

/** The edges of the window are handles; its middle moves it; a press outside centres it there. */
function useMinimapDrag(wrap: { current: HTMLDivElement | null }, until: SimTime): void {
  const end = useRef(until);
  end.current = until;
  useEffect(() => {
    const element = wrap.current;
    if (element === null) return undefined;
    let grip: Grip | undefined;
    let offset = 0;
    const timeAt = (event: PointerEvent) => {
      const box = element.getBoundingClientRect();
      return ((event.clientX - box.left) / Math.max(1, box.width)) * end.current;
    };
    const gripAt = (event: PointerEvent): Grip => {
      const { view } = viewportStore.getState();
      const box = element.getBoundingClientRect();
      const x = event.clientX - box.left;
      const [a, b] = [(view.from / end.current) * box.width, Math.min(box.width, (view.until / end.current) * box.width)];
      if (Math.abs(x - b) <= 8) return 'until';
      return Math.abs(x - a) <= 8 ? 'from' : 'middle';
    };
    const down = (event: PointerEvent) => {
      grip = gripAt(event);
      element.setPointerCapture(event.pointerId);
      const { view } = viewportStore.getState();
      const t = timeAt(event);
      offset = t >= view.from && t <= view.until ? t - view.from : (view.until - view.from) / 2;
      move(event);
    };
    const move = (event: PointerEvent) => {
      if (grip === undefined) {
        element.style.cursor = gripAt(event) === 'middle' ? 'grab' : 'ew-resize';
        return;
      }
      const { view } = viewportStore.getState();
      const t = timeAt(event);
      if (grip === 'from') dragWindow(Math.min(t, view.until - 100), view.until);
      else if (grip === 'until') dragWindow(view.from, Math.max(t, view.from + 100));
      else dragWindow(Math.max(0, t - offset), Math.max(0, t - offset) + view.until - view.from);
    };
    const up = () => {
      grip = undefined;
    };
    element.addEventListener('pointerdown', down);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', up);
    element.addEventListener('pointercancel', up);
    return () => {
      element.removeEventListener('pointerdown', down);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', up);
      element.removeEventListener('pointercancel', up);
    };
  }, [wrap]);
}
