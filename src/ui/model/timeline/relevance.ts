import type { ContainerValue, LaneKind } from '../../../worker/protocol.ts';
import type { Film, LaneData } from '../film/film.ts';

/** Which lanes of a pod get a row. `brief`: only trouble and signals. `full`: what a reader needs. `all`: every lane. */
export function childLanes(film: Film, podUid: string, detail: 'brief' | 'full' | 'all'): LaneData[] {
  const lanes = film.lanesOfPod(podUid).filter((data) => groupOf[data.lane.kind] !== undefined);
  const kept = detail === 'all' ? lanes : lanes.filter((data) => (detail === 'brief' ? isBrief(film, data) : isFull(film, data, lanes)));
  return kept.toSorted(byPlace);
}

const groupOf: Partial<Record<LaneKind, number>> = { container: 1, probe: 2, condition: 3, events: 4, signals: 5 };
const conditionOrder = ['PodScheduled', 'PodReadyToStartContainers', 'Initialized', 'ContainersReady', 'Ready'];
const probeOrder = ['startup', 'liveness', 'readiness'];

function byPlace(a: LaneData, b: LaneData): number {
  const group = (groupOf[a.lane.kind] ?? 9) - (groupOf[b.lane.kind] ?? 9);
  if (group !== 0) return group;
  if (a.lane.kind === 'condition') return place(conditionOrder, a.lane.label) - place(conditionOrder, b.lane.label);
  const order = (a.lane.order ?? 0) - (b.lane.order ?? 0);
  if (order !== 0 || a.lane.kind !== 'probe') return order;
  return place(probeOrder, a.lane.probe ?? '') - place(probeOrder, b.lane.probe ?? '');
}

function place(order: readonly string[], word: string): number {
  const index = order.indexOf(word);
  return index < 0 ? order.length : index;
}

function isBrief(film: Film, data: LaneData): boolean {
  if (data.lane.kind === 'signals') return data.marks.at.length > 0;
  return data.lane.kind === 'container' && containerValues(film, data).some((value) => value.tone === 'back-off' || (value.tone === 'failed' && value.restarts > 0));
}

function isFull(film: Film, data: LaneData, lanes: LaneData[]): boolean {
  switch (data.lane.kind) {
    case 'container': return containerValues(film, data).some((value) => value.role !== 'pause');
    case 'condition': return isTelling(film, data, lanes);
    case 'signals': return data.marks.at.length > 0;
    case 'probe': case 'events': return true;
    default: return false;
  }
}

/** Ready always; Initialized where there are init containers; another one if it was not True for a second, or is not one of the usual five. */
function isTelling(film: Film, data: LaneData, lanes: LaneData[]): boolean {
  const type = data.lane.label;
  if (type === 'Ready') return true;
  if (type === 'ContainersReady') return false;
  if (type === 'Initialized') return lanes.some((other) => containerValues(film, other).some((value) => value.role === 'init' || value.role === 'sidecar'));
  if (!conditionOrder.includes(type)) return true;
  const { at, value } = data.spans;
  return value.some((index, i) => {
    const found = film.value(index);
    return found?.kind === 'condition' && found.status !== 'True' && (at[i + 1] ?? film.head) - (at[i] ?? 0) >= longMs;
  });
}

const longMs = 3000;

function containerValues(film: Film, data: LaneData): ContainerValue[] {
  return data.spans.value.flatMap((index) => {
    const value = film.value(index);
    return value?.kind === 'container' ? [value] : [];
  });
}
