import { useEffect, useRef, type RefObject } from 'react';
import type { SimTime } from '../../../sim/time.ts';
import { msPerPx, toTime, toX } from '../../model/timeline/track.ts';
import { panWindow, setRange, viewportStore, zoomBy } from '../../store/viewport.ts';

/** What the pointer may do, and what it needs to know. Read through a ref: the listeners live as long as the canvas. */
export interface PointerTarget {
  cursor: SimTime;
  rulerHeight: number;
  seek: (at: SimTime) => void;
  scrollBy: (px: number) => void;
  click: (x: number, y: number) => void;
  hover: (point: { x: number; y: number } | undefined) => void;
}

type Drag =
  | { kind: 'playhead' }
  | { kind: 'pan'; x: number; y: number; moved: boolean }
  | { kind: 'range'; from: SimTime; x: number; moved: boolean }
  | { kind: 'pinch'; distance: number };

const grabPx = 5;
const clickPx = 4;

/** Drag on the body pans, drag on the ruler selects a range; Shift swaps the two. The playhead can be taken anywhere along its line. */
export function usePointer(ref: RefObject<HTMLElement | null>, target: PointerTarget): void {
  const latest = useRef(target);
  latest.current = target;
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const session = new PointerSession(element, latest);
    const listeners: [string, (event: PointerEvent) => void][] = [
      ['pointerdown', session.down], ['pointermove', session.move], ['pointerup', session.up], ['pointercancel', session.up], ['pointerleave', session.leave],
    ];
    for (const [name, listener] of listeners) element.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of listeners) element.removeEventListener(name, listener as EventListener);
    };
  }, [ref]);
}

class PointerSession {
  readonly #element: HTMLElement;
  readonly #target: { current: PointerTarget };
  readonly #pointers = new Map<number, { x: number; y: number }>();
  #drag: Drag | undefined;

  constructor(element: HTMLElement, target: { current: PointerTarget }) {
    this.#element = element;
    this.#target = target;
  }

  down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const point = this.#point(event);
    this.#pointers.set(event.pointerId, point);
    this.#element.setPointerCapture(event.pointerId);
    this.#target.current.hover(undefined);
    if (this.#pointers.size === 2) {
      this.#drag = { kind: 'pinch', distance: this.#spread() };
      return;
    }
    const { view } = viewportStore.getState();
    const onRuler = point.y < this.#target.current.rulerHeight;
    const nearPlayhead = Math.abs(point.x - toX(view, this.#target.current.cursor)) <= (onRuler ? 26 : grabPx);
    if (nearPlayhead && !event.shiftKey) this.#drag = { kind: 'playhead' };
    else if (onRuler !== event.shiftKey) this.#drag = { kind: 'range', from: toTime(view, point.x), x: point.x, moved: false };
    else this.#drag = { kind: 'pan', x: point.x, y: point.y, moved: false };
  };

  move = (event: PointerEvent): void => {
    const point = this.#point(event);
    if (this.#pointers.has(event.pointerId)) this.#pointers.set(event.pointerId, point);
    const drag = this.#drag;
    if (drag === undefined) this.#hover(point);
    else if (drag.kind === 'playhead') this.#target.current.seek(Math.max(0, toTime(viewportStore.getState().view, point.x)));
    else if (drag.kind === 'pinch') this.#pinch(drag);
    else if (drag.kind === 'pan') this.#pan(drag, point);
    else this.#range(drag, point);
  };

  up = (event: PointerEvent): void => {
    const point = this.#point(event);
    const drag = this.#drag;
    this.#pointers.delete(event.pointerId);
    this.#drag = undefined;
    if (event.type === 'pointercancel' || drag === undefined) return;
    if (drag.kind === 'pan' && !drag.moved) this.#target.current.click(point.x, point.y);
    if (drag.kind === 'range' && !drag.moved) {
      setRange(undefined);
      this.#target.current.seek(Math.max(0, drag.from));
    }
  };

  leave = (): void => {
    if (this.#drag === undefined) this.#target.current.hover(undefined);
  };

  #hover(point: { x: number; y: number }): void {
    const { view } = viewportStore.getState();
    const { cursor, rulerHeight, hover } = this.#target.current;
    const onRuler = point.y < rulerHeight;
    const near = Math.abs(point.x - toX(view, cursor)) <= (onRuler ? 26 : grabPx);
    this.#element.style.cursor = near ? 'ew-resize' : onRuler ? 'col-resize' : 'grab';
    hover(point);
  }

  #pan(drag: Extract<Drag, { kind: 'pan' }>, point: { x: number; y: number }): void {
    const [dx, dy] = [point.x - drag.x, point.y - drag.y];
    if (!drag.moved && Math.hypot(dx, dy) < clickPx) return;
    drag.moved = true;
    this.#element.style.cursor = 'grabbing';
    if (dx !== 0) panWindow(-dx * msPerPx(viewportStore.getState().view));
    if (dy !== 0) this.#target.current.scrollBy(-dy);
    drag.x = point.x;
    drag.y = point.y;
  }

  #range(drag: Extract<Drag, { kind: 'range' }>, point: { x: number }): void {
    if (!drag.moved && Math.abs(point.x - drag.x) < clickPx) return;
    drag.moved = true;
    setRange([Math.max(0, drag.from), Math.max(0, toTime(viewportStore.getState().view, point.x))]);
  }

  #pinch(drag: Extract<Drag, { kind: 'pinch' }>): void {
    const distance = this.#spread();
    if (distance < 1 || drag.distance < 1) return;
    const points = [...this.#pointers.values()];
    const middle = points.reduce((sum, p) => sum + p.x, 0) / points.length;
    zoomBy(distance / drag.distance, toTime(viewportStore.getState().view, middle));
    drag.distance = distance;
  }

  #spread(): number {
    const [a, b] = [...this.#pointers.values()];
    return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
  }

  #point(event: PointerEvent): { x: number; y: number } {
    const box = this.#element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }
}

/** Ctrl or Cmd with the wheel (and a trackpad's pinch) zooms at the pointer, sideways and Shift pan, else the rows scroll. */
export function useWheel(ref: RefObject<HTMLElement | null>, canvas: RefObject<HTMLElement | null>, scrollBy: (px: number) => void): void {
  const latest = useRef(scrollBy);
  latest.current = scrollBy;
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const { view } = viewportStore.getState();
      const scale = event.deltaMode === 1 ? 16 : 1;
      const [dx, dy] = [event.deltaX * scale, event.deltaY * scale];
      const x = event.clientX - (canvas.current?.getBoundingClientRect().left ?? 0);
      if (event.ctrlKey || event.metaKey) zoomBy(Math.min(4, Math.max(0.25, 2 ** (-dy / 180))), x >= 0 ? toTime(view, x) : undefined);
      else if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) panWindow((event.shiftKey && dx === 0 ? dy : dx) * msPerPx(view));
      else latest.current(dy);
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [ref, canvas]);
}
