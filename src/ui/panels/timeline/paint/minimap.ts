import type { SimTime } from '../../../../sim/time.ts';
import type { Film } from '../../../model/film/film.ts';
import { densityOf } from '../../../model/timeline/density.ts';
import type { Viewport } from '../../../model/timeline/track.ts';
import { hueOf, roundedPath, type Ctx, type Palette } from '../../../parts/palette.ts';

export interface MinimapPicture {
  film: Film;
  view: Viewport;
  cursor: SimTime;
  /** End of the axis. */
  until: SimTime;
  selectedLane?: string;
  fog: boolean;
}

/** The whole run: how much happened as a histogram, the state of the selected pod as a thread, the window with two handles. */
export function drawMinimap(c: Ctx, p: Palette, m: MinimapPicture, width: number, height: number): void {
  const x = (t: SimTime) => (t / Math.max(1, m.until)) * width;
  const end = m.fog ? Math.min(m.cursor, m.film.head) : m.film.head;
  c.fillStyle = p.panel;
  c.fillRect(0, 0, width, height);
  drawHistogram(c, p, m, width, height, x(end));
  drawThread(c, p, m, height, x, end);
  c.fillStyle = p.lineStrong;
  for (let at = x(end) + 4; at < width; at += 6) c.fillRect(at, height - 5, 1.5, 1);
  drawWindow(c, p, x(m.view.from), x(m.view.until), width, height);
  c.fillStyle = p.fill;
  c.fillRect(Math.round(x(m.cursor)) - 0.75, 0, 1.5, height);
}

const columnPx = 4.7;

function drawHistogram(c: Ctx, p: Palette, m: MinimapPicture, width: number, height: number, endX: number): void {
  const slots = Math.max(1, Math.floor(width / columnPx));
  const raw = densityOf(m.film, slots, m.until);
  const counts = raw.map((count, slot) => ((raw[slot - 1] ?? 0) + 2 * count + (raw[slot + 1] ?? 0)) / 4);
  const most = counts.reduce((a, b) => Math.max(a, b), 1);
  c.fillStyle = p.ink3;
  c.globalAlpha = 0.6;
  const step = width / slots;
  for (let slot = 0; slot * step < endX; slot += 1) {
    // A square root keeps one lonely event visible beside the burst of a start.
    const h = 1.4 + Math.sqrt((counts[slot] ?? 0) / most) * (height - 13);
    c.fillRect(slot * step + 0.5, height - 8 - h, Math.max(1, step - 1.2), h);
  }
  c.globalAlpha = 1;
}

function drawThread(c: Ctx, p: Palette, m: MinimapPicture, height: number, x: (t: SimTime) => number, end: SimTime): void {
  if (m.selectedLane === undefined) return;
  for (const span of m.film.spansBetween(m.selectedLane, 0, end)) {
    if (span.value.kind !== 'pod' || span.from >= end) continue;
    c.fillStyle = hueOf(p, span.value.tone);
    c.fillRect(x(span.from), height - 6, Math.max(1, x(Math.min(span.until, end)) - x(span.from) - 0.5), 3);
  }
}

function drawWindow(c: Ctx, p: Palette, a: number, b: number, width: number, height: number): void {
  c.fillStyle = p.app;
  c.globalAlpha = p.dark ? 0.55 : 0.6;
  c.fillRect(0, 0, a, height);
  c.fillRect(b, 0, Math.max(0, width - b), height);
  c.globalAlpha = 1;
  c.strokeStyle = p.ink3;
  c.lineWidth = 1;
  const right = Math.min(b, width);
  roundedPath(c, a + 0.5, 0.5, Math.max(8, right - a - 1), height - 1, 4);
  c.stroke();
  c.fillStyle = p.ink2;
  for (const at of [a + 3, right - 6]) {
    roundedPath(c, at, height / 2 - 6, 3, 12, 1.5);
    c.fill();
  }
}
