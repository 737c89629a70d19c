import type { EventMark, LaneValue, ProbeMark, RequestMark, SignalMark } from '../../../worker/protocol.ts';
import { clock, length } from '../../model/format.ts';
import type { Hit } from '../../model/timeline/hit.ts';
import type { Say } from './props.ts';
import styles from './timeline.module.css';

/** What, when, n of m, message. The first line is the fact, the last one is quiet. */
export interface TipLines {
  title: string;
  lines: string[];
  quiet?: string;
}

export function Tooltip({ tip, x, y, width, height }: { tip: TipLines; x: number; y: number; width: number; height: number }) {
  const toLeft = x > width - 320;
  const above = y > height - 110;
  return (
    <div
      className={styles.tip} role="tooltip"
      style={{ ...(toLeft ? { right: width - x + 12 } : { left: x + 12 }), ...(above ? { bottom: height - y + 12 } : { top: y + 14 }) }}
    >
      <b>{tip.title}</b>
      {tip.lines.map((line) => <span key={line}>{line}</span>)}
      {tip.quiet !== undefined && <span className={styles.quiet}>{tip.quiet}</span>}
    </div>
  );
}

export function tipOf(hit: Hit, say: Say, probe: string): TipLines | undefined {
  if (hit.steady) return { title: say({ key: 'probe-passed', values: { probe } }), lines: [clock(hit.at)] };
  const best = hit.marks.reduce<Hit['marks'][number] | undefined>((a, b) => (a === undefined || Math.abs(b.at - hit.at) < Math.abs(a.at - hit.at) ? b : a), undefined);
  if (best === undefined) return hit.span === undefined ? undefined : spanTip(hit, hit.span.value, say);
  const tip = markTip(best.value, best.at, say, probe, hit);
  return hit.marks.length > 1 && best.value.kind !== 'event' && best.value.kind !== 'request'
    ? { ...tip, quiet: say({ key: 'and-more', values: { count: hit.marks.length - 1 } }) } : tip;
}

function markTip(value: ProbeMark | EventMark | SignalMark | RequestMark, at: number, say: Say, probe: string, hit: Hit): TipLines {
  if (value.kind === 'probe') return probeTip(value, at, say, probe);
  if (value.kind === 'event') return eventTip(hit, say);
  if (value.kind === 'signal') {
    const kill = value.killAt === undefined ? [] : [say({ key: 'kill-at', values: { at: clock(value.killAt) } })];
    return { title: value.signal, lines: [`${clock(at)} ${say({ key: 'signal-to', values: { container: value.container } })}`, ...kill], ...(value.message === undefined ? {} : { quiet: value.message }) };
  }
  const sum = hit.marks.reduce((total, mark) => (mark.value.kind === 'request' ? { ok: total.ok + mark.value.ok, failed: total.failed + mark.value.failed } : total), { ok: 0, failed: 0 });
  return { title: hit.track.label, lines: [clock(at), say({ key: 'requests-ok', values: { count: sum.ok } }), say({ key: 'requests-failed', values: { count: sum.failed } })] };
}

const outcomeKey = { success: 'probe-passed', warning: 'probe-passed', failure: 'probe-failed', timeout: 'probe-timeout', unknown: 'probe-unknown' } as const;

function probeTip(value: ProbeMark, at: number, say: Say, probe: string): TipLines {
  const failed = value.outcome !== 'success' && value.outcome !== 'warning';
  const counted = failed ? `, ${say({ key: 'n-of-m', values: { n: Math.min(value.run, value.threshold), m: value.threshold } })}` : '';
  return {
    title: `${say({ key: outcomeKey[value.outcome], values: { probe } })}${counted}`,
    lines: [`${clock(at)} ${say({ key: 'took', values: { ms: value.tookMs } })}`], ...(value.message === '' ? {} : { quiet: value.message }),
  };
}

function eventTip(hit: Hit, say: Say): TipLines {
  const events = hit.marks.flatMap((mark) => (mark.value.kind === 'event' ? [{ at: mark.at, value: mark.value }] : []));
  const first = events[0];
  if (events.length === 1 && first !== undefined) return { title: first.value.reason, lines: [`${clock(first.at)} ${first.value.source}`], quiet: first.value.message };
  const rest = events.length - 6;
  return {
    title: say({ key: 'count-times', values: { count: events.length } }),
    lines: events.slice(0, 6).map((event) => `${clock(event.at)} ${event.value.reason}`),
    ...(rest > 0 ? { quiet: say({ key: 'and-more', values: { count: rest } }) } : {}),
  };
}

function spanTip(hit: Hit, value: LaneValue, say: Say): TipLines | undefined {
  const span = hit.span;
  if (span === undefined) return undefined;
  const time = `${clock(span.from)}${Number.isFinite(span.until) ? ` – ${clock(span.until)}, ${length(span.until - span.from)}` : ''}`;
  if (value.kind === 'pod') return { title: `${hit.track.label}: ${value.status}`, lines: [time, `${value.ready}/${value.total}${value.node === undefined ? '' : `, ${value.node}`}`], ...(value.message === undefined ? {} : { quiet: value.message }) };
  if (value.kind === 'container') {
    const retry = value.retryAt === undefined ? [] : [say({ key: 'next-try', values: { at: clock(value.retryAt) } })];
    const state = value.reason ?? say({ key: value.state === 'running' ? (value.ready ? 'running-ready' : 'running-not-ready') : 'running' });
    return { title: `${hit.track.label}: ${state}`, lines: [time, value.image, ...retry], ...(value.message === undefined ? {} : { quiet: value.message }) };
  }
  if (value.kind === 'condition') return { title: `${hit.track.label}: ${value.status}`, lines: [time, ...(value.reason === undefined ? [] : [value.reason])], ...(value.message === undefined ? {} : { quiet: value.message }) };
  if (value.kind === 'node') return { title: `${hit.track.label}: ${value.ready === 'True' ? 'Ready' : 'NotReady'}`, lines: [time, ...value.taints] };
  return undefined;
}
