import type { Line, Work } from '../../model/lanes/lines.ts';
import { isFailure, labelOf } from '../../model/lanes/words.ts';
import { toX, type Viewport } from '../../model/timeline/track.ts';
import type { SimTime } from '../../../sim/time.ts';
import { textWidth, type Ctx, type Palette } from '../../parts/palette.ts';

export interface Picture {
  lines: readonly Line[];
  works: readonly Work[];
  rows: number;
  rowHeight: number;
  view: Viewport;
  cursor: SimTime;
  selected: string | undefined;
  hovered: string | undefined;
}

/** Beyond this many the words would only cover the lines. */
const labelledMost = 160;

/** Hairlines, then messages from faint to strong, then their words where there is room, then the playhead. */
export function drawLanes(c: Ctx, p: Palette, picture: Picture, width: number, height: number): void {
  const { lines, rows, rowHeight, view, cursor } = picture;
  c.clearRect(0, 0, width, height);
  c.fillStyle = p.line;
  for (let i = 0; i < rows; i++) c.fillRect(0, Math.round((i + 0.5) * rowHeight), width, 1);
  c.fillStyle = p.lineStrong;
  for (const { x0, x1, y } of picture.works) c.fillRect(x0, y - 3, x1 - x0, 6);
  const strong = lines.filter(({ message }) => message.id === picture.selected || message.id === picture.hovered);
  const weak = lines.filter((line) => !strong.includes(line));
  for (const state of ['future', 'past', 'flight']) for (const line of weak) if (line.state === state) drawLine(c, p, line, false);
  for (const line of strong) drawLine(c, p, line, true);
  const taken: Box[] = [];
  for (const line of strong) label(c, p, line, rowHeight, width, taken, true);
  if (lines.length <= labelledMost) for (const line of weak) if (line.state !== 'future') label(c, p, line, rowHeight, width, taken, false);
  const x = Math.round(toX(view, cursor)) + 0.5;
  c.strokeStyle = p.fill;
  c.lineWidth = 1.5;
  line(c, x, 0, x, height);
}

function line(c: Ctx, x0: number, y0: number, x1: number, y1: number): void {
  c.beginPath();
  c.moveTo(x0, y0);
  c.lineTo(x1, y1);
  c.stroke();
}

function drawLine(c: Ctx, p: Palette, { message, x0, y0, x1, y1, state, done }: Line, strong: boolean): void {
  const ink = isFailure(message) ? p.state.failed : strong ? p.ink1 : message.kind === 'response' || message.kind === 'cri-reply' ? p.ink3 : p.ink2;
  const [x, y] = [x0 + (x1 - x0) * done, y0 + (y1 - y0) * done];
  c.globalAlpha = state === 'future' && !strong ? 0.32 : 1;
  c.strokeStyle = c.fillStyle = ink;
  c.lineWidth = strong ? 2 : 1.25;
  if (state === 'future') line(c, x0, y0, x1, y1);
  else line(c, x0, y0, x, y);
  if (state === 'flight') {
    c.setLineDash([2, 3]);
    line(c, x, y, x1, y1);
    c.setLineDash([]);
    c.fillStyle = p.fill;
    dot(c, x, y, 4.5);
    c.fill();
  } else arrow(c, x0, y0, x1, y1, strong ? 7 : 5.5);
  c.fillStyle = p.panel;
  c.lineWidth = 1.5;
  dot(c, x0, y0, strong ? 3.5 : 2.5);
  c.fill();
  c.stroke();
  c.globalAlpha = 1;
}

function dot(c: Ctx, x: number, y: number, r: number): void {
  c.beginPath();
  c.arc(x, y, r, 0, Math.PI * 2);
}

function arrow(c: Ctx, x0: number, y0: number, x1: number, y1: number, size: number): void {
  const angle = Math.atan2(y1 - y0, x1 - x0);
  c.beginPath();
  c.moveTo(x1, y1);
  c.lineTo(x1 - size * Math.cos(angle - 0.42), y1 - size * Math.sin(angle - 0.42));
  c.lineTo(x1 - size * Math.cos(angle + 0.42), y1 - size * Math.sin(angle + 0.42));
  c.fill();
}

type Box = readonly [x: number, y: number, right: number, bottom: number];

/** Beside the line, between two rows; not where other words are, unless it is the chosen one. */
function label(c: Ctx, p: Palette, { message, x0, y0, x1, y1 }: Line, rowHeight: number, width: number, taken: Box[], strong: boolean): void {
  const text = labelOf(message);
  if (text === '' && !strong) return;
  const words = text === '' ? String(message.code ?? '') : text.length > 44 ? `${text.slice(0, 43)}…` : text;
  c.font = `${strong ? 560 : 450} 10.5px "JetBrains Mono Variable", ui-monospace, monospace`;
  const wide = textWidth(c, words);
  const y = Math.round((y0 + y1) / 2 / rowHeight) * rowHeight;
  const beside = x0 + (y1 === y0 ? 0 : ((y - y0) / (y1 - y0)) * (x1 - x0));
  const x = beside + 8 + wide > width ? beside - 8 - wide : beside + 8;
  const box: Box = [x - 3, y - 7, x + wide + 3, y + 7];
  if (!strong && (beside < -20 || taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]))) return;
  taken.push(box);
  c.globalAlpha = 0.86;
  c.fillStyle = p.panel;
  c.fillRect(box[0], box[1], box[2] - box[0], box[3] - box[1]);
  c.globalAlpha = 1;
  c.fillStyle = isFailure(message) ? p.state.failed : strong ? p.ink1 : p.ink2;
  c.textBaseline = 'middle';
  c.textAlign = 'left';
  c.fillText(words, x, y + 0.5);
}
