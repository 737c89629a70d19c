import { clock } from '../../../model/format.ts';
import { rulerSteps } from '../../../model/timeline/scale.ts';
import { tracksBetween } from '../../../model/timeline/tracks.ts';
import { msPerPx, toX } from '../../../model/timeline/track.ts';
import type { Frame, Picture } from './frame.ts';
import { roundedPath, textWidth, type Ctx, type Palette } from '../../../parts/palette.ts';
import { drawRow } from './rows.ts';

/** One picture of the timeline: a pure function of its arguments to a canvas. */
export function drawTimeline(c: Ctx, p: Palette, picture: Picture, width: number, height: number): void {
  const unit = msPerPx(picture.view);
  const f: Frame = {
    ...picture, c, p, width, height, msPerPx: unit, x: (t) => toX(picture.view, t),
    from: picture.view.from - 20 * unit, until: picture.view.until + 20 * unit,
  };
  c.textBaseline = 'middle';
  c.fillStyle = p.sunken;
  c.fillRect(0, 0, width, height);
  drawRuler(f);
  drawRangeBand(f);
  drawRows(f);
  drawRangeEdges(f);
  drawInputs(f);
  drawPlayhead(f);
}

function drawRuler(f: Frame): void {
  const { c, p, view } = f;
  const R = f.metrics.ruler;
  const { major, minor, decimals } = rulerSteps(f.msPerPx, f.big ? 100 : 60);
  c.fillStyle = p.panel;
  c.fillRect(0, 0, f.width, R);
  c.strokeStyle = p.line;
  c.lineWidth = 1;
  c.beginPath();
  for (let t = Math.ceil(view.from / minor) * minor; t <= view.until; t += minor) {
    const x = Math.round(f.x(t)) + 0.5;
    const isMajor = t % major === 0;
    if (!isMajor && f.big) continue;
    c.moveTo(x, R - (isMajor ? 5 : 3));
    c.lineTo(x, isMajor ? f.height : R);
  }
  c.moveTo(0, R - 0.5);
  c.lineTo(f.width, R - 0.5);
  c.stroke();
  c.fillStyle = p.ink3;
  c.font = `450 ${f.big ? 17 : 11}px ${p.ui}`;
  const near = (f.big ? 66 : 42) + decimals * 6;
  for (let t = Math.ceil(view.from / major) * major; t <= view.until; t += major) {
    const x = Math.round(f.x(t)) + 0.5;
    const label = clock(t, decimals);
    if (x + 5 + textWidth(c, label) < f.width && Math.abs(x + (f.big ? 28 : 20) - f.x(f.cursor)) > near) c.fillText(label, x + 5, R / 2 - 0.5);
  }
}

function drawRangeBand(f: Frame): void {
  if (f.range === undefined) return;
  const [a, b] = f.range;
  f.c.fillStyle = f.p.band;
  f.c.fillRect(f.x(a), f.metrics.ruler, f.x(b) - f.x(a), f.height);
}

function drawRows(f: Frame): void {
  const { c, p, width, height } = f;
  const R = f.metrics.ruler;
  c.save();
  c.beginPath();
  c.rect(0, R, width, height - R);
  c.clip();
  const above: (() => void)[] = [];
  for (const track of tracksBetween(f.list, f.scrollTop, f.scrollTop + height - R)) {
    const y = R + track.y - f.scrollTop;
    if (track.selected) {
      c.fillStyle = p.wash;
      c.fillRect(0, y, width, track.height);
    }
    c.strokeStyle = p.line;
    c.lineWidth = 1;
    c.globalAlpha = track.closes ? 1 : 0.55;
    c.beginPath();
    c.moveTo(0, Math.round(y + track.height) - 0.5);
    c.lineTo(width, Math.round(y + track.height) - 0.5);
    c.stroke();
    c.globalAlpha = 1;
    const later = drawRow(f, track, y);
    if (later !== undefined && !f.fog) above.push(later);
  }
  drawFuture(f);
  for (const draw of above) draw();
  c.restore();
}

/** The past is sharp, the known future is veiled, what is not simulated yet is dotted paper. */
function drawFuture(f: Frame): void {
  const { c, p, width, height } = f;
  const R = f.metrics.ruler;
  const cursor = Math.max(0, f.x(f.cursor));
  const head = Math.min(f.x(f.film.head), width);
  if (!f.fog && head > cursor) {
    c.fillStyle = p.sunken;
    c.globalAlpha = p.dark ? 0.52 : 0.58;
    c.fillRect(cursor, R, head - cursor, height - R);
    c.globalAlpha = 1;
  }
  const edge = f.fog ? cursor : Math.max(0, head);
  if (edge >= width) return;
  c.fillStyle = f.fog ? p.panel : p.sunken;
  c.fillRect(edge, R, width - edge, height - R);
  c.fillStyle = p.lineStrong;
  c.beginPath();
  for (let y = R + 6, row = 0; y < height; y += 8, row += 1) {
    for (let x = edge + 6 + (row % 2) * 4; x < width; x += 8) c.rect(x, y, 1, 1);
  }
  c.fill();
  if (f.fog) return;
  c.strokeStyle = p.lineStrong;
  c.beginPath();
  c.moveTo(Math.round(edge) + 0.5, R);
  c.lineTo(Math.round(edge) + 0.5, height);
  c.stroke();
}

function drawRangeEdges(f: Frame): void {
  if (f.range === undefined) return;
  const { c, p } = f;
  const R = f.metrics.ruler;
  const [a, b] = [f.x(f.range[0]), f.x(f.range[1])];
  c.fillStyle = p.ink3;
  for (const x of [a, b]) c.fillRect(Math.round(x), R - 4, 1, f.height - R + 4);
  c.fillStyle = p.ink2;
  roundedPath(c, a, R - 4, b - a, 3, 1);
  c.fill();
}

/** Triangles on the ruler: what the user did. */
function drawInputs(f: Frame): void {
  const { c, p } = f;
  const R = f.metrics.ruler;
  c.fillStyle = p.ink1;
  for (const { lane } of f.film.lanesOfKind('inputs')) {
    for (const { at } of f.film.marksBetween(lane.id, f.view.from, Math.min(f.view.until, f.fog ? f.cursor : f.view.until))) {
      const x = f.x(at);
      c.beginPath();
      c.moveTo(x, R - 1);
      c.lineTo(x - 4, R - 8);
      c.lineTo(x + 4, R - 8);
      c.fill();
    }
  }
}

function drawPlayhead(f: Frame): void {
  const { c, p } = f;
  const R = f.metrics.ruler;
  const exact = f.x(f.cursor);
  if (exact < -40 || exact > f.width + 40) return;
  const x = Math.round(exact);
  c.fillStyle = p.fill;
  c.fillRect(x - (f.big ? 1 : 0.75), R - 2, f.big ? 2.5 : 1.5, f.height);
  const label = clock(f.cursor);
  c.font = `600 ${f.big ? 17 : 11}px ${p.ui}`;
  const width = textWidth(c, label) + 12;
  const left = Math.max(0, Math.min(f.width - width, x - width / 2));
  roundedPath(c, left, 2, width, R - 5, 4);
  c.fill();
  c.fillStyle = p.inverse;
  c.fillText(label, left + 6, R / 2);
}
