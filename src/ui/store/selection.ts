import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { film, useFilm } from './film.ts';

/** The one selection of the page: a lane of the film ('pod/UID', 'node/node-a', 'service/default/web', ...). Everything on screen follows it. */
export interface SelectionState {
  lane: string | undefined;
  /** A container of the pod that is looked at closely (logs). */
  container: string | undefined;
  /** By name, before the film knows it: 'pod/web', 'deployment/web'. */
  awaited: string | undefined;
}

export const selectionStore = createStore<SelectionState>()(() => ({ lane: undefined, container: undefined, awaited: undefined }));

export function useSelection<T>(select: (state: SelectionState) => T): T {
  return useStore(selectionStore, select);
}

export function selectLane(lane: string | undefined): void {
  if (selectionStore.getState().lane !== lane) selectionStore.setState({ lane, container: undefined, awaited: undefined });
}

export function selectPod(podUid: string | undefined): void {
  selectLane(podUid === undefined ? undefined : `pod/${podUid}`);
}

export const podOfLane = (lane: string | undefined): string | undefined => (lane?.startsWith('pod/') ? lane.slice(4) : undefined);

export function useSelectedPod(): string | undefined {
  return useSelection((state) => podOfLane(state.lane));
}

/** The selection, as long as the film knows it. */
export function useSelectedLane() {
  const lane = useSelection((state) => state.lane);
  const current = useFilm();
  return lane === undefined ? undefined : current.lane(lane);
}

/** Selects by name as soon as the film has it. */
export function awaitSelection(name: string | undefined): void {
  selectionStore.setState({ lane: undefined, container: undefined, awaited: name ?? 'pod/' });
}

/** What was just made is looked at, as soon as the film has it; until then the old selection stays. */
export function awaitNew(name: string): void {
  selectionStore.setState({ awaited: name });
}

/** Called when the film has grown. */
export function settleSelection(): void {
  const { awaited } = selectionStore.getState();
  if (awaited === undefined) return;
  const [kind = '', name = ''] = awaited.split('/', 2);
  const pods = film().lanesOfKind('pod').map((data) => data.lane);
  const byName = /^(pods?|po)$/.test(kind) ? pods.find((pod) => name === '' || pod.label === name || pod.id === awaited) : undefined;
  const byOwner = pods.find((pod) => pod.owners?.some((owner) => owner.toLowerCase() === awaited.toLowerCase().replace(/^deploy\//, 'deployment/')) ?? false);
  const others = [...film().lanesOfKind('node'), ...film().lanesOfKind('service')].map((data) => data.lane);
  const other = film().lane(awaited) ?? others.find((lane) => lane.kind === kind && lane.label === name);
  const found = byName ?? byOwner ?? other;
  if (found !== undefined) selectionStore.setState({ lane: found.id, container: undefined, awaited: undefined });
}
