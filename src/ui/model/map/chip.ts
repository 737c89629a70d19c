import type { ContainerValue, PodValue, Tone } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Film, LaneData } from '../film/film.ts';
import type { Said } from '../format.ts';

export type ChipWord = 'status-ready' | 'status-not-ready' | 'status-pending' | 'status-terminating' | 'status-failed' | 'status-completed' | 'status-unknown' | 'init' | 'init-of';

/** A container inside a chip. */
export interface Cell {
  id: string;
  role: ContainerValue['role'];
  tone: Tone;
  label: Said<ChipWord>;
}

export interface Chip {
  uid: string;
  name: string;
  namespace: string;
  tone: Tone;
  status: Said<ChipWord>;
  ready: string;
  cells: Cell[];
  value: PodValue;
  since: SimTime;
}

/** What a chip says at a moment, apart from its line of time. */
export function chipAt(film: Film, podUid: string, t: SimTime): Chip | undefined {
  const span = film.spanAt(`pod/${podUid}`, t);
  const lane = film.lane(`pod/${podUid}`);
  if (span?.value.kind !== 'pod' || lane === undefined) return undefined;
  const value = span.value;
  return {
    uid: podUid, name: lane.label, namespace: lane.namespace ?? '', tone: value.tone, status: statusOf(value), ready: `${value.ready}/${value.total}`,
    cells: cellsAt(film, podUid, value, t), value, since: span.from,
  };
}

const glossed: Record<string, ChipWord> = {
  Pending: 'status-pending', Terminating: 'status-terminating', Error: 'status-failed', Completed: 'status-completed', Unknown: 'status-unknown',
};

/** The headline: kubectl's word; 'Running' says whether it is ready as well. */
export function statusOf(value: PodValue): Said<ChipWord> {
  if (value.status === 'Running') return { key: value.tone === 'ready' ? 'status-ready' : 'status-not-ready' };
  const key = glossed[value.status];
  return key === undefined ? value.status : { key };
}

interface Part { data: LaneData; value: ContainerValue }

/** In start order: pause, init (as one cell), sidecars, app. Finished pods have no sandbox any more. */
function cellsAt(film: Film, podUid: string, pod: PodValue, t: SimTime): Cell[] {
  const parts: Part[] = [];
  for (const data of film.lanesOfPod(podUid)) {
    const value = data.lane.kind === 'container' ? film.spanOf(data, t)?.value : undefined;
    if (value?.kind === 'container') parts.push({ data, value });
  }
  parts.sort((a, b) => (a.data.lane.order ?? 0) - (b.data.lane.order ?? 0));
  const rest = parts.filter(({ value }) => value.role !== 'pause' && value.role !== 'init');
  const cells: Cell[] = [];
  if (hasSandbox(parts, pod)) cells.push({ id: 'pause', role: 'pause', tone: 'ready', label: '' });
  const init = initCell(parts.filter(({ value }) => value.role === 'init'));
  if (init !== undefined) cells.push(init);
  for (const role of ['sidecar', 'app', 'ephemeral'] as const) {
    for (const { data, value } of rest) if (value.role === role) cells.push({ id: data.lane.label, role, tone: value.tone, label: data.lane.label });
  }
  return cells;
}

function hasSandbox(parts: Part[], pod: PodValue): boolean {
  const pause = parts.find(({ value }) => value.role === 'pause');
  if (pause !== undefined) return pause.value.state === 'running';
  return pod.tone !== 'succeeded' && pod.tone !== 'failed' && parts.some(({ value }) => value.state !== 'terminated');
}

function initCell(parts: Part[]): Cell | undefined {
  if (parts.length === 0) return undefined;
  const done = parts.filter(({ value }) => value.tone === 'succeeded').length;
  const current = parts.find(({ value }) => value.tone !== 'succeeded') ?? parts[parts.length - 1];
  const label: Said<ChipWord> = parts.length === 1 || done === parts.length ? { key: 'init' } : { key: 'init-of', values: { done, count: parts.length } };
  return { id: 'init', role: 'init', tone: current?.value.tone === 'ready' ? 'starting' : current?.value.tone ?? 'pending', label };
}
