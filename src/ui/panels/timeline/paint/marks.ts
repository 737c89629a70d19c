import type { ProbeType } from '../../../../cluster/notes.ts';
import type { ProbeMark } from '../../../../worker/protocol.ts';
import { drawCross } from './bar.ts';
import { roundedPath, textWidth, type Ctx, type Palette } from '../../../parts/palette.ts';

/** Outline of a probe: triangle startup, disc liveness, diamond readiness. */
export function probePath(c: Ctx, type: ProbeType, x: number, y: number, r: number): void {
  c.beginPath();
  if (type === 'liveness') {
    c.arc(x, y, r * 0.94, 0, Math.PI * 2);
    return;
  }
  const corners: [number, number][] = type === 'startup' ? [[0, -1.02], [1.08, 0.86], [-1.08, 0.86]] : [[0, -1.16], [1.16, 0], [0, 1.16], [-1.16, 0]];
  corners.forEach(([dx, dy], index) => (index === 0 ? c.moveTo(x + dx * r, y + dy * r) : c.lineTo(x + dx * r, y + dy * r)));
  c.closePath();
}

/** Filled: passed. Hollow with a cross: failed; with a clock hand: timed out; with '?': unknown. More than one: a second outline behind. */
export function drawProbe(c: Ctx, p: Palette, type: ProbeType, outcome: ProbeMark['outcome'], x: number, y: number, r: number, count = 1): void {
  const passed = outcome === 'success' || outcome === 'warning';
  const hue = passed ? p.state.ready : outcome === 'unknown' ? p.ink2 : p.state.failed;
  c.save();
  c.lineJoin = 'round';
  if (count > 1) {
    c.strokeStyle = hue;
    c.lineWidth = 1.2;
    c.globalAlpha *= 0.75;
    probePath(c, type, x + r * 0.78, y, r);
    c.stroke();
    c.globalAlpha /= 0.75;
  }
  probePath(c, type, x, y, r);
  c.fillStyle = passed ? hue : p.sunken;
  c.fill();
  if (!passed) {
    c.strokeStyle = hue;
    c.lineWidth = 1.4;
    c.stroke();
    failureSign(c, p, type, outcome, hue, x, y, r);
  }
  c.restore();
}

function failureSign(c: Ctx, p: Palette, type: ProbeType, outcome: ProbeMark['outcome'], hue: string, x: number, y: number, r: number): void {
  const dy = type === 'startup' ? r * 0.26 : 0;
  if (outcome === 'failure') drawCross(c, hue, x, y + dy, r * (type === 'startup' ? 0.28 : 0.36), 1.2);
  else if (outcome === 'timeout') {
    c.lineWidth = 1.2;
    c.beginPath();
    c.moveTo(x, y + dy - r * 0.5);
    c.lineTo(x, y + dy);
    c.lineTo(x + r * 0.42, y + dy + r * 0.2);
    c.stroke();
  } else {
    c.fillStyle = hue;
    c.font = `600 ${Math.round(r * 1.7)}px ${p.ui}`;
    c.textAlign = 'center';
    c.fillText('?', x, y + dy + 0.5);
  }
}

/** An event: grey outline for Normal, filled amber for Warning, with the number of events in it. */
export function drawFlag(c: Ctx, p: Palette, warning: boolean, x: number, y: number, h: number, count: number, room: { left: number; edge: number; right: number }): void {
  const hue = warning ? p.state['not-ready'] : p.ink3;
  c.save();
  c.strokeStyle = hue;
  c.fillStyle = hue;
  c.lineWidth = 1.4;
  c.beginPath();
  c.moveTo(x, y + h / 2);
  c.lineTo(x, y - h / 2);
  c.stroke();
  c.beginPath();
  c.moveTo(x, y - h / 2);
  c.lineTo(x + h * 0.62, y - h / 2 + h * 0.1);
  c.lineTo(x + h * 0.4, y - h * 0.2);
  c.lineTo(x + h * 0.62, y + h * 0.08);
  c.lineTo(x, y + h * 0.1);
  c.lineWidth = 1.2;
  if (warning) c.fill();
  else c.stroke();
  if (count > 1) {
    c.fillStyle = p.ink2;
    c.font = `500 ${h < 14 ? 10 : 13}px ${p.ui}`;
    const text = `×${count}`;
    const width = textWidth(c, text);
    const right = x + h * 0.62 + 3;
    // The number stands on the free side of the playhead, or not at all.
    const flips = x < room.edge && right + width > room.edge;
    if (!flips && right + width <= room.right) c.fillText(text, right, y);
    else if (x - width - 4 > room.left) c.fillText(text, x - width - 4, y);
  }
  c.restore();
}

/** A signal: a boxed letter, dashed if it is still to come. */
export function drawLetter(c: Ctx, p: Palette, letter: string, x: number, y: number, planned: boolean, size = 12): void {
  const half = size / 2;
  c.save();
  c.fillStyle = planned ? p.sunken : p.fill;
  roundedPath(c, x - half, y - half, size, size);
  c.fill();
  if (planned) {
    c.strokeStyle = p.ink2;
    c.lineWidth = 1;
    c.setLineDash([2, 1.6]);
    roundedPath(c, x - half + 0.5, y - half + 0.5, size - 1, size - 1);
    c.stroke();
  }
  c.fillStyle = planned ? p.ink2 : p.inverse;
  c.font = `650 ${size * 0.79}px ${p.ui}`;
  c.textAlign = 'center';
  c.fillText(letter, x, y + 0.5);
  c.restore();
}
