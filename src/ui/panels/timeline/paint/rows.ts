import { passedAt, columnsOf, flagsOf, signalsOf, ticksOf, type Column } from '../../../model/timeline/ticks.ts';
import { barsOf, ghostBars, stripsOf, type Bar } from '../../../model/timeline/bars.ts';
import type { Track, TrackKind } from '../../../model/timeline/track.ts';
import { drawBar, drawCross } from './bar.ts';
import type { Frame } from './frame.ts';
import { drawFlag, drawLetter, drawProbe } from './marks.ts';
import { hueOf, onState, roundedPath, textWidth } from '../../../parts/palette.ts';

/** Draws the content of a row whose top is at `y`. Returns what has to be drawn above the veil, if anything. */
export function drawRow(f: Frame, track: Track, y: number): (() => void) | undefined {
  return drawers[track.kind](f, track, y, y + track.height / 2);
}

type Drawer = (f: Frame, track: Track, y: number, middle: number) => (() => void) | undefined;

const drawers: Record<TrackKind, Drawer> = {
  pod: bars, container: bars, node: bars, ghost, probe: probes, condition: strips, events, signals, requests, service: bars,
};

const barTop = (track: Track, middle: number): number => Math.round(middle - track.barHeight / 2);

function bars(f: Frame, track: Track, _y: number, middle: number): undefined {
  const top = barTop(track, middle);
  let drawnTo = -Infinity;
  for (const bar of barsOf(f.film, track, f.from, f.until)) {
    const x0 = Math.max(f.x(bar.from), -4);
    const x1 = Math.min(f.x(bar.until), f.width + 4);
    // Too many to tell apart: one hairline a pixel is enough, except for failures.
    if (x1 - drawnTo < 0.5 && bar.tone !== 'failed') continue;
    drawnTo = x1;
    drawBar(f.c, f.p, bar.tone, x0, top, x1 - x0, track.barHeight, bar.quiet);
    drawBarLabel(f, track, bar, x0, x1, top);
  }
}

const solid: readonly string[] = ['ready', 'not-ready', 'failed'];

function drawBarLabel(f: Frame, track: Track, bar: Bar, x0: number, x1: number, top: number): void {
  const { c, p } = f;
  const h = track.barHeight;
  const exit = bar.exit && x1 - x0 > 14;
  c.font = `${f.big ? 600 : 560} ${f.big ? 16 : 10}px ${p.ui}`;
  const x = Math.max(x0, 0) + (exit ? 17 : 6);
  const cursorX = f.x(f.cursor);
  const room = (bar.from < f.cursor && bar.until > f.cursor ? Math.min(x1, cursorX - 2) : x1) - x - 6;
  for (const said of bar.tone === 'succeeded' ? [] : bar.labels) {
    const text = f.say(said);
    const width = textWidth(c, text);
    if (text === '' || width > room) continue;
    const isSolid = solid.includes(bar.tone);
    if (!isSolid) plate(f, x - 3, top + 1, width + 6, h - 2);
    // No notches through a word.
    if (bar.tone === 'not-ready') {
      c.fillStyle = hueOf(p, bar.tone);
      c.fillRect(x - 4, top, width + 8, 5);
    }
    c.fillStyle = !isSolid ? p.ink1 : bar.tone === 'not-ready' && !p.dark ? p.ink1 : onState(p);
    c.fillText(text, x, top + h / 2 + (h < 12 ? 0 : 0.5));
    break;
  }
  if (!exit) return;
  plate(f, x0 + 3, top + 1, 10, h - 2);
  drawCross(c, p.state.failed, x0 + 8, top + h / 2, 2.6, 1.5);
}

/** Text on a pattern gets a plate of the ground colour. */
function plate(f: Frame, x: number, y: number, w: number, h: number): void {
  f.c.fillStyle = f.p.sunken;
  roundedPath(f.c, x, y, w, h);
  f.c.fill();
}

function ghost(f: Frame, track: Track, y: number, middle: number): undefined {
  const { c, p } = f;
  const top = barTop(track, middle);
  const list = ghostBars(f.film, track);
  const x = f.x(list[0]?.from ?? 0);
  c.save();
  c.globalAlpha = 0.5;
  c.setLineDash([3, 2]);
  c.strokeStyle = p.ink2;
  c.lineWidth = 1;
  c.beginPath();
  c.moveTo(x, y - 4);
  c.lineTo(x, middle - 4);
  c.quadraticCurveTo(x, middle, x + 5, middle);
  c.stroke();
  c.restore();
  list.forEach((bar, index) => {
    const x0 = f.x(bar.from) + (index === 0 ? 6 : 0);
    const width = f.x(bar.until) - x0 - 1;
    if (width < 1) return;
    c.save();
    c.globalAlpha = 0.8;
    c.strokeStyle = hueOf(p, bar.tone);
    c.lineWidth = 1.2;
    roundedPath(c, x0, top + 0.5, width, track.barHeight - 1);
    c.stroke();
    c.globalAlpha = 0.16;
    c.fillStyle = hueOf(p, bar.tone);
    c.fill();
    c.restore();
  });
}

function strips(f: Frame, track: Track, _y: number, middle: number): undefined {
  const { c, p } = f;
  const top = barTop(track, middle);
  const h = track.barHeight;
  for (const strip of stripsOf(f.film, track, f.from, f.until)) {
    const x = Math.round(Math.max(f.x(strip.from), -4)) + 0.5;
    const w = Math.min(f.x(strip.until), f.width + 4) - Math.max(f.x(strip.from), -4) - 1;
    if (w <= 0) continue;
    if (strip.status === 'True') {
      c.fillStyle = p.state.ready;
      roundedPath(c, x, top, w, h);
      c.fill();
    } else {
      c.strokeStyle = strip.status === 'False' ? p.state['not-ready'] : p.state.pending;
      c.lineWidth = 1.2;
      c.setLineDash(strip.status === 'False' ? [] : [1, 2]);
      roundedPath(c, x + 0.5, top + 0.5, w - 1, h - 1);
      c.stroke();
      c.setLineDash([]);
    }
    if (Math.min(f.x(f.cursor), x + w) - Math.max(x, 0) <= 44) continue;
    c.font = `560 ${f.big ? 15 : 9.5}px ${p.ui}`;
    c.fillStyle = strip.status === 'True' ? onState(p) : p.ink1;
    c.fillText(strip.status, Math.max(x, 0) + 6, top + h / 2 + (h < 12 ? 0.25 : 0.5));
  }
}

function probes(f: Frame, track: Track, _y: number, middle: number): undefined {
  const { c, p } = f;
  const type = f.film.lane(track.laneId)?.probe ?? 'liveness';
  const r = f.big ? 8 : 4.6;
  for (const tick of ticksOf(f.film, track, f.from, f.until, f.msPerPx)) {
    const x = f.x(tick.at);
    drawProbe(c, p, type, tick.outcome, x, middle, r, tick.count);
    if (tick.note === undefined || type === 'startup') continue;
    c.font = `600 ${f.big ? 17 : 10}px ${p.ui}`;
    const width = textWidth(c, tick.note);
    const right = x + r * (tick.count > 1 ? 2.6 : 1.9);
    const hitsPlayhead = tick.at <= f.cursor && right + width + 3 > f.x(f.cursor);
    c.fillStyle = p.ink1;
    c.fillText(tick.note, hitsPlayhead ? x - r * 1.7 - width : right, middle + 0.5);
  }
  const passed = passedAt(f.film, track);
  if (passed === undefined || passed > f.cursor) return;
  const x = f.x(passed);
  c.strokeStyle = p.ink3;
  c.globalAlpha = 0.6;
  c.lineWidth = 1;
  c.setLineDash([1, 3]);
  c.beginPath();
  c.moveTo(x + 9, middle + 0.5);
  c.lineTo(x + 30, middle + 0.5);
  c.stroke();
  c.setLineDash([]);
  c.globalAlpha = 1;
  c.fillStyle = p.ink3;
  c.font = `450 ${f.big ? 16 : 10}px ${p.ui}`;
  const text = f.say({ key: 'passed-runs-no-more' });
  if (x + 34 + textWidth(c, text) < f.x(f.cursor)) c.fillText(text, x + 34, middle + 0.5);
}

function events(f: Frame, track: Track, _y: number, middle: number): undefined {
  const h = f.big ? 18 : 11;
  const flags = flagsOf(f.film, track, f.from, Math.min(f.until, f.film.head), f.msPerPx);
  flags.forEach((flag, index) => {
    const before = flags[index - 1];
    const left = before === undefined ? 0 : f.x(before.at) + h + (before.count > 1 ? 18 : 0);
    const right = f.x(flags[index + 1]?.at ?? Infinity);
    drawFlag(f.c, f.p, flag.warning, Math.round(f.x(flag.at)) + 0.5, middle, h, flag.count, { left, edge: f.x(f.cursor), right });
  });
}

function signals(f: Frame, track: Track, _y: number, middle: number): () => void {
  const { c, p } = f;
  const shapes = signalsOf(f.film, track);
  for (const hook of shapes.hooks) {
    const x0 = f.x(hook.from);
    const x1 = f.x(hook.until);
    c.strokeStyle = hook.failed ? p.state.failed : p.ink2;
    c.lineWidth = 1.2;
    c.beginPath();
    c.moveTo(x0 + 0.5, middle - 5);
    c.lineTo(x0 + 0.5, middle + 5);
    c.moveTo(x0, middle + 0.5);
    c.lineTo(x1, middle + 0.5);
    c.stroke();
    c.font = `500 ${f.big ? 16 : 10}px ${p.ui}`;
    const width = textWidth(c, hook.name);
    if (x1 - x0 < width + 16 || (f.fog && x0 + 16 + width > f.x(f.cursor))) continue;
    c.fillStyle = p.sunken;
    c.fillRect(x0 + 8, middle - 6, width + 6, 12);
    c.fillStyle = p.ink1;
    c.fillText(hook.name, x0 + 11, middle + 0.5);
  }
  c.strokeStyle = p.ink3;
  c.lineWidth = 1;
  c.setLineDash([2, 2]);
  for (const wait of shapes.waits) {
    c.beginPath();
    c.moveTo(f.x(wait.from) + 8, middle + 0.5);
    c.lineTo(f.x(wait.until) - 8, middle + 0.5);
    c.stroke();
  }
  c.setLineDash([]);
  const size = f.big ? 20 : 12;
  for (const { at, letter, planned } of shapes.letters) if (!planned) drawLetter(c, p, letter, f.x(at), middle, false, size);
  return () => {
    for (const { at, letter, planned } of shapes.letters) if (planned) drawLetter(c, p, letter, f.x(at), middle, true, size);
  };
}

function requests(f: Frame, track: Track, y: number): undefined {
  const { columns, max } = columnsOf(f.film, track, f.from, f.until, f.msPerPx);
  const full = track.height - 4;
  for (const column of columns) drawColumn(f, column, y + track.height - 1, full / max);
}

function drawColumn(f: Frame, column: Column, bottom: number, pxPerRequest: number): void {
  const { c, p } = f;
  const x = f.x(column.from) + 0.75;
  const w = Math.max(1.5, f.x(column.until) - f.x(column.from) - 1.5);
  const ok = column.ok * pxPerRequest;
  const failed = column.failed * pxPerRequest;
  c.fillStyle = p.ink3;
  c.globalAlpha = 0.55;
  c.fillRect(x, bottom - ok, w, ok);
  c.globalAlpha = 1;
  if (failed <= 0) return;
  c.fillStyle = p.state.failed;
  c.fillRect(x, bottom - ok - failed, w, failed - (ok > 0 ? 0.75 : 0));
  if (w <= 4) return;
  c.save();
  c.beginPath();
  c.rect(x, bottom - ok - failed, w, failed);
  c.clip();
  c.strokeStyle = p.sunken;
  c.lineWidth = 1;
  c.beginPath();
  for (let at = -failed; at < w; at += 3.5) {
    c.moveTo(x + at, bottom - ok);
    c.lineTo(x + at + failed, bottom - ok - failed);
  }
  c.stroke();
  c.restore();
}
