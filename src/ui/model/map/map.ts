import type { NodeValue, RequestMark, ServiceValue } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Film, Present } from '../film/film.ts';
import { queueBox, type Box } from './geometry.ts';
import { chipBox, type MapLayout } from './layout.ts';

/** A pod on the map: in the queue until it is bound, then on its node. */
export interface PodPlace {
  uid: string;
  zone: 'queue' | 'node';
  box: Box;
}

export interface Places {
  pods: PodPlace[];
  /** Oldest first. */
  queue: string[];
  total: number;
}

/** Shown in the queue box; the rest is a number. */
const queueShows = 2;

export function placesAt(film: Film, layout: MapLayout, t: SimTime): Places {
  const pods: PodPlace[] = [];
  const queue: string[] = [];
  const present = film.podsAt(t);
  for (const { lane, value } of present) {
    const uid = lane.podUid;
    if (uid === undefined) continue;
    const box = value.node === undefined ? undefined : chipBox(layout, uid);
    if (box !== undefined) pods.push({ uid, zone: 'node', box });
    else if (value.node === undefined) queue.push(uid);
  }
  queue.slice(0, queueShows).forEach((uid, index) => {
    pods.push({ uid, zone: 'queue', box: { x: layout.queue.x + queueBox.pad, y: layout.queue.y + queueBox.pad + queueBox.title + index * (queueBox.chipH + 4), w: layout.queue.w - 2 * queueBox.pad, h: queueBox.chipH } });
  });
  return { pods, queue, total: present.length };
}

export interface NodeFacts {
  name: string;
  value: NodeValue;
  since: SimTime;
  /** How long its kubelet has sent no lease, if it is silent. */
  silentMs?: number;
}

export function nodeFacts(film: Film, node: Present<NodeValue>, t: SimTime): NodeFacts {
  const silentSince = silence(film, node, t);
  return { name: node.lane.label, value: node.value, since: node.from, ...(silentSince === undefined ? {} : { silentMs: t - silentSince }) };
}

function silence(film: Film, node: Present<NodeValue>, t: SimTime): SimTime | undefined {
  let since: SimTime | undefined;
  for (const span of film.spansBetween(node.lane.id, 0, t)) {
    since = span.value.kind === 'node' && !span.value.alive ? since ?? span.from : undefined;
  }
  return since;
}

/** Why a pod is not bound: how many nodes for each reason, from the scheduler's sentence. */
export function reasonsOf(message: string): { nodes: number; reason: string }[] {
  const list = /nodes are available: (.*?)\.(?: preemption:|$)/.exec(`${message}`)?.[1] ?? '';
  return list.split(/, (?=\d)/).flatMap((part) => {
    const match = /^(\d+) (?:node\(s\) )?(?:had |didn't )?(.*)$/.exec(part);
    return match === null ? [] : [{ nodes: Number(match[1]), reason: part.includes("didn't") ? `didn't ${match[2] ?? ''}` : match[2] ?? '' }];
  });
}

export function serviceFacts(value: ServiceValue): { ready: number; total: number; address: string } {
  const port = value.ports[0]?.split(/[/:]/)[0];
  return { ready: value.endpoints.filter((endpoint) => endpoint.ready).length, total: value.endpoints.length, address: `${value.clusterIP}${port === undefined ? '' : `:${port}`}` };
}

/** Requests of a client in the last second. */
export function clientFacts(film: Film, laneId: string, t: SimTime): { rate: number; failing: number } {
  const marks = film.marksBetween(laneId, t - 999, t).flatMap(({ value }) => (value.kind === 'request' ? [value as RequestMark] : []));
  return { rate: marks.reduce((sum, mark) => sum + mark.ok + mark.failed, 0), failing: marks.reduce((sum, mark) => sum + mark.failed, 0) };
}

/** The nearest pod from one in a direction: those straight ahead first. */
export function neighbour(pods: readonly PodPlace[], from: string | undefined, dx: number, dy: number): string | undefined {
  const start = pods.find((pod) => pod.uid === from);
  if (start === undefined) return pods[0]?.uid;
  const centre = (box: Box) => ({ x: box.x + box.w / 2, y: box.y + box.h / 2 });
  const a = centre(start.box);
  let best: { uid: string; cost: number } | undefined;
  for (const pod of pods) {
    const b = centre(pod.box);
    const ahead = (b.x - a.x) * dx + (b.y - a.y) * dy;
    const aside = Math.abs((b.x - a.x) * dy) + Math.abs((b.y - a.y) * dx);
    if (ahead <= 1 || pod.uid === from) continue;
    const cost = ahead + 2.5 * aside;
    if (best === undefined || cost < best.cost) best = { uid: pod.uid, cost };
  }
  return best?.uid;
}
