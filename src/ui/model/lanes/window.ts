import type { SimTime } from '../../../sim/time.ts';
import type { Message } from '../../../worker/protocol.ts';

/** What to ask for: a little more than the window, in steps, so that a small move asks nothing new. */
export interface Asked {
  from: SimTime;
  until: SimTime;
  around: SimTime;
  /** Changes when there is more to know. */
  grown: number;
}

export function askedFor(from: SimTime, until: SimTime, cursor: SimTime, head: SimTime): Asked {
  let step = 16;
  while (step * 4 <= until - from) step *= 2;
  const fine = step / 8;
  const centre = cursor < from || cursor > until ? (from + until) / 2 : cursor;
  const end = Math.ceil(until / step) * step;
  return { from: Math.max(0, Math.floor(from / step) * step), until: end, around: Math.round(centre / fine) * fine, grown: head >= end ? end : Math.floor(head / fine) * fine };
}

/** Longer silence ends a burst; in a narrow window a shorter one, so that asking again closes in further. */
const silenceMs = 150;

/** The messages about a moment that belong together: without a longer silence between them. A window with some room. */
export function burstAround(messages: readonly Message[], moment: SimTime, windowMs = Infinity): readonly [from: SimTime, until: SimTime] | undefined {
  const silence = Math.max(4, Math.min(silenceMs, windowMs / 8));
  const distance = (message: Message) => Math.abs(message.sentAt - moment);
  // The answer to a long call ends no burst and holds none together.
  const endOf = ({ sentAt, receivedAt }: Message) => (receivedAt - sentAt <= silence ? receivedAt : sentAt);
  const nearest = messages.reduce<Message | undefined>((best, message) => (best === undefined || distance(message) < distance(best) ? message : best), undefined);
  if (nearest === undefined) return undefined;
  const at = messages.indexOf(nearest);
  let [from, until] = [nearest.sentAt, endOf(nearest)];
  for (let i = at + 1; i < messages.length && (messages[i] as Message).sentAt - until <= silence; i++) until = Math.max(until, endOf(messages[i] as Message));
  for (let i = at - 1; i >= 0 && from - (messages[i] as Message).sentAt <= silence; i--) from = Math.min(from, (messages[i] as Message).sentAt);
  if (until === from) until = nearest.receivedAt;
  const room = Math.max(8, (until - from) * 0.08);
  return [Math.max(0, Math.floor(from - room)), Math.ceil(until + room)];
}
