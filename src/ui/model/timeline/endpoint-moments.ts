import type { ServiceValue } from '../../../worker/protocol.ts';
import type { Film } from '../film/film.ts';
import type { MomentEntry } from './moment-list.ts';

/** When a pod became an endpoint that serves, or stopped being one. */
export function endpointMoments(film: Film, podUid: string): MomentEntry[] {
  const entries: MomentEntry[] = [];
  for (const data of film.lanesOfKind('service')) {
    let served = false;
    data.spans.at.forEach((at, index) => {
      const value = film.value(data.spans.value[index] ?? -1);
      const serves = value?.kind === 'service' && value.endpoints.some((endpoint) => endpoint.podUid === podUid && endpoint.ready);
      if (serves !== served) entries.push(moment(at, data.lane.label, serves, value?.kind === 'service' ? value : undefined));
      served = serves;
    });
  }
  return entries;
}

function moment(at: number, name: string, serves: boolean, value: ServiceValue | undefined): MomentEntry {
  const ready = value?.endpoints.filter((endpoint) => endpoint.ready).length ?? 0;
  return {
    at, icon: 'service', hue: 'ink', title: { key: serves ? 'joined-service' : 'left-service', values: { name: `svc/${name}` } },
    detail: { key: 'endpoints-ready', values: { ready, total: value?.endpoints.length ?? 0 } }, rank: 5,
  };
}
