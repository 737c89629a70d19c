import type { SimTime } from '../../../sim/time.ts';
import type { Message } from '../../../worker/protocol.ts';
import { toX, type Viewport } from '../timeline/track.ts';

/** A message on screen: from where it was sent to where it was received. */
export interface Line {
  message: Message;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** At the playhead: received, under way, or not sent yet. */
  state: 'past' | 'flight' | 'future';
  /** How much of the way is done, 0 to 1. */
  done: number;
}

/** The lines in the window, in the order of sending. */
export function linesOf(messages: readonly Message[], rows: readonly string[], rowHeight: number, view: Viewport, cursor: SimTime): Line[] {
  const place = new Map(rows.map((actor, index) => [actor, (index + 0.5) * rowHeight]));
  const lines: Line[] = [];
  for (const message of messages) {
    const { sentAt, receivedAt } = message;
    const [y0, y1] = [place.get(message.from), place.get(message.to)];
    if (y0 === undefined || y1 === undefined || receivedAt < view.from || sentAt > view.until) continue;
    const state = cursor < sentAt ? 'future' : cursor < receivedAt ? 'flight' : 'past';
    lines.push({ message, x0: toX(view, sentAt), y0, x1: toX(view, receivedAt), y1, state, done: state === 'flight' ? (cursor - sentAt) / (receivedAt - sentAt) : state === 'past' ? 1 : 0 });
  }
  return lines;
}

/** A receiver that works on what it was asked: from the request's arrival to the answer, as far as the playhead knows. */
export interface Work {
  x0: number;
  x1: number;
  y: number;
}

export function worksOf(messages: readonly Message[], rows: readonly string[], rowHeight: number, view: Viewport, cursor: SimTime): Work[] {
  const asked = new Map(messages.map((message) => [message.id, message]));
  const works: Work[] = [];
  for (const { answers = '', sentAt } of messages) {
    const question = asked.get(answers);
    if (question === undefined) continue;
    const [from, until] = [question.receivedAt, Math.min(sentAt, cursor)];
    if (until <= from || until < view.from || from > view.until) continue;
    works.push({ x0: toX(view, from), x1: toX(view, until), y: (rows.indexOf(question.to) + 0.5) * rowHeight });
  }
  return works;
}

const reachPx = 7;

/** The line nearest to a place. Of those that lie upon each other the one that was sent last before the pointer. */
export function lineAt(lines: readonly Line[], x: number, y: number): Line | undefined {
  let best: Line | undefined;
  let least = reachPx;
  for (const line of lines) {
    const distance = distanceTo(line, x, y);
    if (distance < least || (distance === least && best !== undefined)) [best, least] = [line, distance];
  }
  return best;
}

function distanceTo({ x0, y0, x1, y1 }: Line, x: number, y: number): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const along = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x0 - along * dx, y - y0 - along * dy);
}

/** The message before or after one in the order of sending; without one, the first after the playhead or the last before it. */
export function neighbour(messages: readonly Message[], id: string | undefined, step: 1 | -1, cursor: SimTime): Message | undefined {
  const at = id === undefined ? -1 : messages.findIndex((message) => message.id === id);
  if (at >= 0) return messages[at + step];
  return step === 1 ? messages.find((message) => message.sentAt >= cursor) ?? messages[0] : messages.findLast((message) => message.sentAt <= cursor) ?? messages.at(-1);
}
