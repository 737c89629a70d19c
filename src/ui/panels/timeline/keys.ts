import type { KeyboardEvent } from 'react';
import type { SimTime } from '../../../sim/time.ts';
import { centreOn, fitAll, panShare, setRange, setWindow, viewportStore, zoomAtPlayhead, zoomBack } from '../../store/viewport.ts';

export interface KeyTarget {
  /** Of the key event: two presses within half a second are one sign. */
  pressedAtMs: number;
  cursor: SimTime;
  filmUntil: SimTime;
  selectedSpan: () => readonly [SimTime, SimTime] | undefined;
  moveActive: (by: 1 | -1) => void;
  toggleActive: () => void;
  pinActive: () => void;
}

const actions: Record<string, (target: KeyTarget) => void> = {
  w: ({ cursor }) => zoomAtPlayhead(1.5, cursor),
  s: ({ cursor }) => zoomAtPlayhead(1 / 1.5, cursor),
  '+': ({ cursor }) => zoomAtPlayhead(1.5, cursor),
  '=': ({ cursor }) => zoomAtPlayhead(1.5, cursor),
  '-': ({ cursor }) => zoomAtPlayhead(1 / 1.5, cursor),
  a: () => panShare(-0.2),
  d: () => panShare(0.2),
  '0': ({ filmUntil }) => fitAll(filmUntil),
  f: fit,
  z: () => zoomBack(),
  r: range,
  p: (target) => target.pinActive(),
  arrowdown: (target) => target.moveActive(1),
  arrowup: (target) => target.moveActive(-1),
  enter: (target) => target.toggleActive(),
};

let lastF = 0;

/** Once: the playhead goes to the middle. Twice quickly: the selected range, or the selected pod's life, fills the window. */
function fit(target: KeyTarget): void {
  const twice = target.pressedAtMs - lastF < 500;
  lastF = target.pressedAtMs;
  const span = viewportStore.getState().range ?? target.selectedSpan();
  if (!twice || span === undefined) centreOn(target.cursor);
  else {
    const margin = (span[1] - span[0]) * 0.03;
    setWindow(span[0] - margin, span[1] + margin);
  }
}

let anchor: SimTime | undefined;

/** The range without a pointer: its first edge at the playhead, then its second. */
function range({ cursor }: KeyTarget): void {
  if (anchor === undefined || anchor === cursor) {
    anchor = cursor;
    setRange(undefined);
    return;
  }
  setRange([anchor, cursor]);
  anchor = undefined;
}

/** Returns whether the key was used. Keys of the whole page (Space, left, right, '.') pass through. */
export function handleKey(event: KeyboardEvent, target: KeyTarget): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === 'Escape' && viewportStore.getState().range !== undefined) {
    setRange(undefined);
    return true;
  }
  if (event.shiftKey && event.key !== '+') return false;
  const action = actions[event.key.toLowerCase()];
  action?.(target);
  return action !== undefined;
}
