import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { SchedulingDecision } from '../../../cluster/notes.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../../model/film/film.ts';
import type { Said } from '../../model/format.ts';
import type { MapLayout } from '../../model/map/layout.ts';
import type { MapMessage } from './messages.ts';

export type Say = (said: Said<MapMessage>) => string;

/** What the parts of the map read. Each part subscribes to as little as it shows: a square hears of its pod only. */
export interface MapState {
  film: Film;
  version: number;
  cursor: SimTime;
  layout: MapLayout;
  selectedPod: string | undefined;
  selectedLane: string | undefined;
  filter: string;
  say: Say;
  decision: SchedulingDecision | undefined;
  onSelectPod: (podUid: string | undefined) => void;
  onSelectLane: (laneId: string) => void;
  onMenu: ((podUid: string, x: number, y: number) => void) | undefined;
}

export const MapContext = createContext<StoreApi<MapState> | undefined>(undefined);

export function useMap<T>(select: (state: MapState) => T): T {
  const store = useContext(MapContext);
  if (store === undefined) throw new Error('A part of the cluster map outside of it.');
  return useStore(store, select);
}

/** Reads the state without listening to it. */
export function useMapReader(): () => MapState {
  const store = useContext(MapContext);
  if (store === undefined) throw new Error('A part of the cluster map outside of it.');
  return store.getState;
}

/** The place in the pod's columns that holds at the cursor: changes exactly when the pod changes. */
export function podStamp(state: MapState, podUid: string): string {
  let stamp = '';
  for (const data of state.film.lanesOfPod(podUid)) {
    if (data.lane.kind !== 'pod' && data.lane.kind !== 'container') continue;
    stamp += `${state.film.spanOf(data, state.cursor)?.from ?? '-'},`;
  }
  return `${state.film.branch}/${stamp}`;
}

/** The same for a square, which shows the pod's state and nothing of its containers. */
export const squareStamp = (state: MapState, podUid: string): string => `${state.film.branch}/${state.film.spanAt(`pod/${podUid}`, state.cursor)?.from ?? '-'}`;
