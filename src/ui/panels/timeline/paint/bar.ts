import type { Tone } from '../../../../worker/protocol.ts';
import { hueOf, roundedPath, type Ctx, type Palette } from '../../../parts/palette.ts';

interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
  hue: string;
  p: Palette;
  quiet: boolean;
}

/**
 * A state as a bar. Pending: dashed outline. Starting: light diagonal. Ready: solid. NotReady: solid with notches. Back-off: hatch in an outline.
 * Failed: solid with a cross cap. Succeeded: thin with a check cap. Terminating: chevrons. Unknown: dotted.
 */
export function drawBar(c: Ctx, p: Palette, tone: Tone, x: number, y: number, width: number, h: number, quiet = false): void {
  c.save();
  patterns[tone](c, { x: Math.round(x * 2) / 2, y, w: Math.max(1.5, width - 0.75), h, hue: hueOf(p, tone), p, quiet });
  c.restore();
}

const patterns: Record<Tone, (c: Ctx, box: Box) => void> = {
  pending: (c, box) => outline(c, box, [3, 2.5]),
  starting: (c, box) => {
    flat(c, box, box.p.dark ? 0.34 : 0.26);
    diagonal(c, box, 6, 1.6, 0.9);
    outline(c, box, []);
  },
  ready: (c, box) => flat(c, box, box.quiet ? 0.78 : 1),
  'not-ready': (c, box) => {
    flat(c, box, 1);
    notches(c, box);
  },
  'back-off': (c, box) => {
    flat(c, box, box.p.dark ? 0.14 : 0.07);
    diagonal(c, box, 5, 1, box.p.dark ? 0.7 : 0.6);
    outline(c, box, []);
  },
  failed: (c, box) => {
    flat(c, box, 1);
    if (box.w > box.h * 0.8) drawCross(c, '#fff', box.x + box.w - box.h / 2, box.y + box.h / 2, box.h * 0.22, 1.5);
  },
  succeeded: (c, box) => {
    c.fillStyle = box.hue;
    roundedPath(c, box.x, box.y + box.h / 2 - 1.5, Math.max(1, box.w - 12), 3);
    c.fill();
    drawCheck(c, box.hue, box.x + box.w - 7, box.y + box.h / 2, 4.2);
  },
  terminating: (c, box) => {
    flat(c, box, box.p.dark ? 0.42 : 0.2);
    outline(c, box, []);
    chevrons(c, box);
  },
  unknown: (c, box) => {
    outline(c, box, [1, 2.5]);
    c.fillStyle = box.hue;
    for (let at = box.x + 5; at < box.x + box.w - 3; at += 6) c.fillRect(at - 1, box.y + box.h / 2 - 1, 2, 2);
  },
};

function outline(c: Ctx, { x, y, w, h, hue }: Box, dash: number[]): void {
  c.setLineDash(dash);
  c.strokeStyle = hue;
  c.lineWidth = 1;
  roundedPath(c, x + 0.5, y + 0.5, Math.max(0.5, w - 1), h - 1);
  c.stroke();
  c.setLineDash([]);
}

function flat(c: Ctx, { x, y, w, h, hue }: Box, alpha: number): void {
  c.save();
  c.globalAlpha *= alpha;
  c.fillStyle = hue;
  roundedPath(c, x, y, w, h);
  c.fill();
  c.restore();
}

/** All strokes are one path: a wide bar has hundreds of them. They keep their place while the window slides. */
function diagonal(c: Ctx, { x, y, w, h, hue }: Box, gap: number, width: number, alpha: number): void {
  c.save();
  roundedPath(c, x, y, w, h);
  c.clip();
  c.globalAlpha *= alpha;
  c.strokeStyle = hue;
  c.lineWidth = width;
  c.beginPath();
  for (let at = x - h - gap + (-x % gap); at < x + w + h; at += gap) {
    c.moveTo(at, y + h + 1);
    c.lineTo(at + h + 2, y - 1);
  }
  c.stroke();
  c.restore();
}

function notches(c: Ctx, { x, y, w, h, p }: Box): void {
  c.fillStyle = p.sunken;
  c.beginPath();
  for (let at = x + 4; at < x + w - 3; at += 9) {
    c.moveTo(at - 2.6, y - 0.2);
    c.lineTo(at + 2.6, y - 0.2);
    c.lineTo(at, y + Math.min(3.6, h * 0.36));
  }
  c.fill();
}

function chevrons(c: Ctx, { x, y, w, h, hue, p }: Box): void {
  c.save();
  roundedPath(c, x, y, w, h);
  c.clip();
  c.strokeStyle = p.dark ? '#d9a8f0' : hue;
  c.lineWidth = 1.4;
  const arm = h * 0.26;
  c.beginPath();
  for (let at = x + 5; at < x + w; at += 9) {
    for (const shift of [0, 3.2]) {
      c.moveTo(at + shift, y + h / 2 - arm);
      c.lineTo(at + shift + arm * 0.8, y + h / 2);
      c.lineTo(at + shift, y + h / 2 + arm);
    }
  }
  c.stroke();
  c.restore();
}

export function drawCross(c: Ctx, colour: string, x: number, y: number, r: number, width = 1.4): void {
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.lineCap = 'round';
  c.beginPath();
  c.moveTo(x - r, y - r);
  c.lineTo(x + r, y + r);
  c.moveTo(x + r, y - r);
  c.lineTo(x - r, y + r);
  c.stroke();
  c.lineCap = 'butt';
}

export function drawCheck(c: Ctx, colour: string, x: number, y: number, r: number): void {
  c.save();
  c.strokeStyle = colour;
  c.lineWidth = 1.7;
  c.lineCap = 'round';
  c.lineJoin = 'round';
  c.beginPath();
  c.moveTo(x - r, y + r * 0.05);
  c.lineTo(x - r * 0.25, y + r * 0.75);
  c.lineTo(x + r, y - r * 0.75);
  c.stroke();
  c.restore();
}
