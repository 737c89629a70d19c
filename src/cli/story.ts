import type { FilmDelta, Lane, LaneValue } from '../worker/protocol.ts';

/** A film as text, one line a fact: time, subject, what. The first debugging tool. */
export function storyLines(delta: FilmDelta, lanes: Map<number, Lane>, values: LaneValue[]): string[] {
  for (const lane of delta.lanes) lanes.set(lane.index, lane);
  values.push(...delta.values);
  const pods = new Map([...lanes.values()].filter((lane) => lane.kind === 'pod').map((lane) => [lane.podUid, lane.label]));
  const facts: { at: number; order: number; text: string }[] = [];
  const add = (columns: FilmDelta['spans'], mark: boolean) => {
    columns.at.forEach((at, index) => {
      const lane = lanes.get(columns.lane[index] as number) as Lane;
      const value = values[columns.value[index] as number];
      const said = value === undefined ? (lane.kind === 'pod' ? 'gone' : undefined) : words(value);
      if (said === undefined) return;
      const subject = lane.kind === 'pod' ? `pod ${lane.label}` : lane.podUid === undefined ? `${lane.kind} ${lane.label}` : `pod ${pods.get(lane.podUid) ?? '?'}`;
      const part = lane.podUid !== undefined && lane.kind !== 'pod' && lane.kind !== 'events' && lane.kind !== 'signals' && lane.kind !== 'steps'
        ? `${lane.kind} ${lane.container !== undefined && lane.kind === 'probe' ? `${lane.container} ` : ''}${lane.label}: ` : '';
      facts.push({ at, order: facts.length + (mark ? 0.5 : 0), text: `${(at / 1000).toFixed(3).padStart(10)} s  ${subject.padEnd(28)} ${part}${said}` });
    });
  };
  add(delta.spans, false);
  add(delta.marks, true);
  return facts.sort((a, b) => a.at - b.at || a.order - b.order).map((fact) => fact.text);
}

function words(value: LaneValue): string | undefined {
  switch (value.kind) {
    case 'pod': return `${value.status} ${value.ready}/${value.total} (${value.phase}${value.restarts > 0 ? `, ${value.restarts} restarts` : ''}${value.node === undefined ? '' : `, ${value.node}`})`;
    case 'container': return `${value.state}${value.reason === undefined ? '' : ` ${value.reason}`}${value.exitCode === undefined ? '' : ` exit ${value.exitCode}`}${value.ready ? ' ready' : ''}`;
    case 'condition': return `${value.status}${value.reason === undefined ? '' : ` ${value.reason}`}${value.message === undefined ? '' : `: ${value.message}`}`;
    case 'event': return `event ${value.type} ${value.reason}: ${value.message}${value.count > 1 ? ` (x${value.count})` : ''} [${value.source}]`;
    case 'probe': return `${value.outcome} ${value.run}/${value.threshold}${value.crosses ? ' crosses' : ''} ${value.message}`;
    case 'probe-series': return `success every ${value.periodMs / 1000} s`;
    case 'signal': return `${value.signal}${value.phase === undefined ? '' : ` ${value.phase}`} ${value.container}`;
    case 'input': return `${value.summary}${value.exit === undefined ? '' : ` -> ${value.exit}: ${`${value.stdout ?? ''}${value.stderr ?? ''}`.trim()}`}`;
    case 'node': return `Ready ${value.ready}${value.schedulable ? '' : ' cordoned'} ${value.pods} pods${value.taints.length > 0 ? ` taints ${value.taints.join(',')}` : ''}`;
    case 'service': return `${value.clusterIP} ${value.ports.join(',')} -> ${value.endpoints.map((end) => `${end.podName}${end.ready ? '' : end.terminating ? ' (terminating)' : ' (not ready)'}`).join(', ') || 'no endpoints'}`;
    case 'workload': return `${value.ready}/${value.desired} ready, ${value.updated} updated, ${value.available} available`;
    case 'request': return value.failed > 0 ? `request failed: ${value.outcome}` : undefined;
    case 'step': return `${value.step}${value.container === undefined ? '' : ` ${value.container}`}${value.detail === undefined ? '' : ` ${value.detail}`}`;
  }
}
