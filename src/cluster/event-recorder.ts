import type { NewObject } from '../api/resources.ts';
import type { Event, ObjectReference } from '../api/schema/types.ts';
import { formatRfc3339, formatRfc3339Micro } from '../sim/time.ts';
import type { Random } from '../sim/random.ts';
import type { ApiRequest, EventInput } from './component.ts';

/** One client's memory of the Events that it sent: plain data, the least recently used entry first. */
export interface RecorderState {
  /** By everything that makes two Events the same. */
  sent: Cache<Sent>;
  /** By everything but the message: the different messages of the last ten minutes. */
  similar: Cache<{ messages: string[]; at: number }>;
  /** Tokens of the spam filter by source, object and type. */
  buckets: Cache<{ tokens: number; at: number }>;
}

interface Cache<T> {
  size: number;
  entries: Record<string, T>;
}

interface Sent {
  name: string;
  namespace: string;
  count: number;
  firstAt: number;
  /** events.k8s.io style: when it was last seen. */
  lastAt: number;
}

export function createRecorder(): RecorderState {
  const empty = () => ({ size: 0, entries: {} });
  return { sent: empty(), similar: empty(), buckets: empty() };
}

/** What surrounds a record: the clock, the actor's name (its instance) and a stream for the end of the Event's name. */
export interface RecorderClock {
  epochMs: number;
  actor: string;
  random: Random;
}

/** Upstream: client-go tools/record/events_cache.go (maxLruCacheEntries, defaultAggregate*, defaultSpam*). */
const maxEntries = 4096;
const similarMax = 10;
const similarWindowMs = 600_000;
const spamBurst = 25;
const spamRefillMs = 300_000;
/** Upstream: client-go tools/events/event_broadcaster.go finishTime. */
const seriesEndMs = 360_000;

/** The request that tells the API server of an event, or nothing if the spam filter or the series swallows it. */
export function recordEvent(state: RecorderState, input: EventInput, clock: RecorderClock): ApiRequest | undefined {
  return input.action === undefined ? recordCore(state, input, clock) : recordSeries(state, input, clock);
}

/** Upstream: client-go tools/record EventCorrelator.EventCorrelate: aggregate, count, then filter. */
function recordCore(state: RecorderState, input: EventInput, clock: RecorderClock): ApiRequest | undefined {
  const now = clock.epochMs;
  const object = objectKey(input);
  const kind = `${object}|${input.type}|${input.reason}`;
  const aggregated = isAggregated(state, kind, input.message, now);
  const message = aggregated ? `(combined from similar events): ${input.message}` : input.message;
  const key = aggregated ? kind : `${kind}|${input.regarding.fieldPath ?? ''}|${input.message}`;
  const before = state.sent.entries[key];
  const sent: Sent = before === undefined
    ? { name: eventName(input, clock), namespace: input.regarding.namespace || 'default', count: 1, firstAt: now, lastAt: now }
    : { ...before, count: before.count + 1, lastAt: now };
  remember(state.sent, key, sent, before === undefined);
  if (isSpam(state, `${object}|${input.type}`, now)) return undefined;
  if (before !== undefined) return countUp(sent, { count: sent.count, lastTimestamp: formatRfc3339(now), message });
  const { component = '', host } = input;
  return create({
    ...base(input, sent, message),
    source: { component, ...(host === undefined ? {} : { host }) },
    firstTimestamp: formatRfc3339(now),
    lastTimestamp: formatRfc3339(now),
    count: 1,
    reportingComponent: component,
    reportingInstance: host ?? '',
  });
}

/** Many different messages of one reason become one Event. */
function isAggregated(state: RecorderState, key: string, message: string, now: number): boolean {
  const known = state.similar.entries[key];
  const messages = known === undefined || now - known.at > similarWindowMs ? [] : known.messages;
  const seen = messages.includes(message) ? messages : [...messages, message];
  const over = seen.length >= similarMax;
  remember(state.similar, key, { messages: over ? seen.slice(1) : seen, at: now }, known === undefined);
  return over;
}

/** A token bucket per source, object and type; every record costs a token, a repeat as well. */
function isSpam(state: RecorderState, key: string, now: number): boolean {
  const bucket = state.buckets.entries[key];
  const tokens = bucket === undefined ? spamBurst * spamRefillMs : Math.min(spamBurst * spamRefillMs, bucket.tokens + now - bucket.at);
  const spam = tokens < spamRefillMs;
  remember(state.buckets, key, { tokens: spam ? tokens : tokens - spamRefillMs, at: now }, bucket === undefined);
  return spam;
}

/**
 * The events.k8s.io recorder: a repeat within six minutes turns the Event into a series, later ones are counted in memory.
 * Upstream: client-go tools/events/event_broadcaster.go recordToSink.
 * Simplified: the periodic write of a series' count (every 30 minutes and at its end) is left out.
 */
function recordSeries(state: RecorderState, input: EventInput, clock: RecorderClock): ApiRequest | undefined {
  const now = clock.epochMs;
  const key = `series|${objectKey(input)}|${input.regarding.resourceVersion ?? ''}|${input.type}|${input.reason}|${input.action}|${input.related?.uid ?? ''}`;
  const before = state.sent.entries[key];
  if (before !== undefined && now - before.lastAt <= seriesEndMs) {
    const sent = { ...before, count: before.count + 1, lastAt: now };
    remember(state.sent, key, sent, false);
    return before.count > 1 ? undefined : countUp(sent, { series: { count: 2, lastObservedTime: formatRfc3339Micro(now) } });
  }
  const sent: Sent = { name: eventName(input, clock), namespace: input.regarding.namespace || 'default', count: 1, firstAt: now, lastAt: now };
  remember(state.sent, key, sent, before === undefined);
  return create({
    ...base(input, sent, truncated(input.message)),
    source: {},
    eventTime: formatRfc3339Micro(now),
    action: input.action ?? '',
    reportingComponent: input.component ?? '',
    reportingInstance: `${input.component ?? ''}-${input.host ?? 'control-plane'}`,
    ...(input.related === undefined ? {} : { related: input.related }),
  });
}

/** Upstream: client-go tools/events NoteLengthLimit. */
const truncated = (text: string): string => (text.length > 1024 ? `${text.slice(0, 1020)} ...` : text);

type NewEvent = Omit<Event, 'metadata'> & { metadata: { name: string; namespace: string } } & Pick<NewObject, 'apiVersion'>;

function base({ regarding, type, reason }: EventInput, { name, namespace }: Sent, message: string) {
  const involvedObject: ObjectReference = regarding;
  return { apiVersion: 'v1', kind: 'Event', metadata: { name, namespace }, involvedObject, type, reason, message };
}

function create(event: NewEvent): ApiRequest {
  return { verb: 'create', resource: 'events', namespace: event.metadata.namespace, object: { ...event } };
}

function countUp({ name, namespace }: Sent, body: object): ApiRequest {
  return { verb: 'patch', resource: 'events', namespace, name, patch: { type: 'strategic', body } };
}

function objectKey({ component = '', host = '', regarding }: EventInput): string {
  return `${component}|${host}|${regarding.kind}|${regarding.namespace ?? ''}|${regarding.name}|${regarding.uid ?? ''}|${regarding.apiVersion}`;
}

/** '<object>.<nanoseconds in hex>'. Upstream: client-go tools/record/util GenerateEventName. */
function eventName({ regarding }: EventInput, { epochMs, random }: RecorderClock): string {
  // Past what a number holds exactly: in two parts, the lower of 20 bits.
  const low = (epochMs % 0x10_0000) * 1_000_000 + random.below(1_000_000);
  const high = Math.floor(epochMs / 0x10_0000) * 1_000_000 + Math.floor(low / 0x10_0000);
  return `${regarding.name}.${high.toString(16)}${(low % 0x10_0000).toString(16).padStart(5, '0')}`;
}

/**
 * Keeps an entry. At the bound the quarter that came first goes at once: finding the oldest costs a look at all.
 * Simplified: upstream forgets the least recently used first; an object that loses keys is slow, so age here counts from the first use.
 */
function remember<T>(cache: Cache<T>, key: string, value: T, isNew: boolean): void {
  const { entries } = cache;
  if (isNew && cache.size++ >= maxEntries) {
    for (const oldest of Object.keys(entries).slice(0, maxEntries / 4)) delete entries[oldest];
    cache.size -= maxEntries / 4;
  }
  entries[key] = value;
}
