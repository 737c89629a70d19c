import type { Lane } from '../../../worker/protocol.ts';
import type { Film, LaneData } from '../film/film.ts';
import { childLanes } from './relevance.ts';
import type { Detail, Metrics, Track, TrackKind } from './track.ts';

export interface TrackOptions {
  metrics: Metrics;
  selectedPod?: string;
  /** A node or a Service that is selected. */
  selectedLane?: string;
  /** What the user opened or closed by hand; anything else follows the selection. */
  detail: ReadonlyMap<string, Detail>;
  pinned: ReadonlySet<string>;
  /** Shows every lane, also those in which nothing of note happens. */
  showAll: boolean;
  /** Only pods whose namespace, name or status contain this. */
  filter: string;
  /** Presenter: at most so many rows, the telling ones. */
  limit?: number;
}

export interface TrackList {
  tracks: Track[];
  height: number;
}

/** Up to so many Services have a row without being asked for. */
const servicesShown = 4;

/** Up to so many pods show what is of note without being opened. */
const briefLimit = 12;

export function buildTracks(film: Film, options: TrackOptions): TrackList {
  if (options.limit !== undefined) return place(fewRows(film, options, options.limit));
  const pods = film.lanesOfKind('pod').filter((pod) => matches(pod.lane, options.filter));
  const pinned = pods.filter((pod) => options.pinned.has(pod.lane.podUid ?? ''));
  const ordered = pinned.length === 0 ? pods : [...pinned, ...pods.filter((pod) => !pinned.includes(pod))];
  const rows: Track[] = [];
  for (const pod of ordered) addPod(rows, film, pod, detailOf(pod, ordered.length, options), options);
  for (const lane of clusterLanes(film, options.showAll)) rows.push(row(lane, options, {}));
  return place(rows);
}

/** For a projector: the selected pod, what fails or backs off in it, its probes, whether it is ready; then other pods and requests. */
function fewRows(film: Film, options: TrackOptions, limit: number): Track[] {
  const pods = film.lanesOfKind('pod');
  const first = pods.find((pod) => pod.lane.podUid === options.selectedPod) ?? pods[0];
  if (first === undefined) return [];
  const uid = first.lane.podUid ?? '';
  const full = childLanes(film, uid, 'full');
  const ofKind = (kind: Lane['kind']) => full.filter((data) => data.lane.kind === kind);
  const own = [...childLanes(film, uid, 'brief').filter((data) => data.lane.kind === 'container'), ...ofKind('probe').toReversed(), ...ofKind('condition').filter((data) => data.lane.label === 'Ready'), ...ofKind('signals')];
  const requests = film.lanesOfKind('requests').slice(0, 1);
  const others = pods.filter((pod) => pod !== first);
  const room = limit - 1 - requests.length;
  const kept = own.slice(0, others.length > 0 ? room - 1 : room);
  const rows = [first, ...kept, ...others.slice(0, room - kept.length), ...requests];
  return rows.map((data) => row(data.lane, options, { selected: data === first }));
}

export function detailOf(pod: LaneData, podCount: number, options: Pick<TrackOptions, 'detail' | 'selectedPod'>): Detail {
  const uid = pod.lane.podUid ?? '';
  const chosen = options.detail.get(uid);
  if (chosen !== undefined) return chosen;
  if (uid === options.selectedPod) return 'full';
  return podCount <= briefLimit ? 'brief' : 'closed';
}

function addPod(rows: Track[], film: Film, pod: LaneData, detail: Detail, options: TrackOptions): void {
  const uid = pod.lane.podUid ?? '';
  const selected = uid === options.selectedPod;
  const children = detail === 'closed' ? [] : childLanes(film, uid, options.showAll && detail === 'full' ? 'all' : detail);
  const ghosts = detail === 'full' ? film.ghosts.get(pod.lane.id) ?? [] : [];
  rows.push(row(pod.lane, options, { selected, open: children.length + ghosts.length > 0, pinned: options.pinned.has(uid) }));
  ghosts.forEach((ghost, index) => {
    const name = film.branches.find((branch) => branch.id === ghost.branch)?.name ?? String(ghost.branch);
    rows.push({
      id: `ghost/${uid}/${ghost.branch}`, kind: 'ghost', laneId: pod.lane.id, podUid: uid, label: name, icon: 'branch', y: 0,
      height: options.metrics.ghost, barHeight: 7, selected: false, closes: false, ghost: index,
    });
  });
  for (const child of children) rows.push(row(child.lane, options, {}));
  const last = rows[rows.length - 1];
  if (last !== undefined) last.closes = true;
}

function clusterLanes(film: Film, showAll: boolean): Lane[] {
  const nodes = film.lanesOfKind('node').filter((data) => showAll || wasTroubled(film, data));
  const all = film.lanesOfKind('service');
  const services = showAll || all.length <= servicesShown ? all : [];
  return [...film.lanesOfKind('requests'), ...services, ...nodes].map((data) => data.lane);
}

/** A node gets a row once something happened to it: not ready, cordoned, tainted, or cut off. */
function wasTroubled(film: Film, data: LaneData): boolean {
  return data.spans.value.some((index) => {
    const value = film.value(index);
    return value?.kind === 'node' && (value.ready !== 'True' || !value.schedulable || !value.alive);
  });
}

function row(lane: Lane, options: TrackOptions, more: { selected?: boolean; open?: boolean; pinned?: boolean }): Track {
  const kind = kindOf(lane);
  const m = options.metrics;
  const isPod = kind === 'pod' || kind === 'node';
  const height = isPod ? m.pod : kind === 'requests' ? m.requests : kind === 'signals' ? m.signals
    : lane.probe === 'readiness' ? m.probeTall : m.child;
  return {
    id: lane.id, kind, laneId: lane.id, label: kind === 'service' ? `svc/${lane.label}` : lane.label, icon: iconOf(lane), y: 0, height, barHeight: isPod ? m.podBar : m.childBar,
    selected: more.selected ?? lane.id === options.selectedLane, closes: isPod || lane.podUid === undefined,
    ...(lane.podUid === undefined ? {} : { podUid: lane.podUid }), ...(kind === 'pod' ? { open: more.open ?? false, pinned: more.pinned ?? false } : {}),
  };
}

const kindOf = (lane: Lane): TrackKind =>
  lane.kind === 'pod' || lane.kind === 'container' || lane.kind === 'probe' || lane.kind === 'condition' || lane.kind === 'events'
  || lane.kind === 'signals' || lane.kind === 'requests' || lane.kind === 'node' ? lane.kind : 'service';

const icons: Partial<Record<Lane['kind'], string>> = {
  condition: 'check', events: 'flag', signals: 'bolt', requests: 'service', service: 'service', node: 'node', pod: 'pod', container: 'role-app',
};

const iconOf = (lane: Lane): string => (lane.probe === undefined ? icons[lane.kind] ?? 'pod' : `${lane.probe}-none`);

function place(rows: Track[]): TrackList {
  let y = 0;
  for (const track of rows) {
    track.y = y;
    y += track.height;
  }
  return { tracks: rows, height: y };
}

/** Rows that touch [top, bottom]: a binary search, then a walk over what is on screen. */
export function tracksBetween(list: TrackList, top: number, bottom: number): Track[] {
  let low = 0;
  let high = list.tracks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const track = list.tracks[middle];
    if (track !== undefined && track.y + track.height <= top) low = middle + 1;
    else high = middle;
  }
  const result: Track[] = [];
  for (let index = low; index < list.tracks.length; index += 1) {
    const track = list.tracks[index];
    if (track === undefined || track.y >= bottom) break;
    result.push(track);
  }
  return result;
}

function matches(lane: Lane, filter: string): boolean {
  return filter === '' || `${lane.namespace ?? ''}/${lane.label}`.toLowerCase().includes(filter.toLowerCase());
}
