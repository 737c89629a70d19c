import { useCallback, useMemo, useState } from 'react';
import { buildTracks, type TrackList } from '../../model/timeline/tracks.ts';
import { denseMetrics, presenterMetrics, type Detail, type Track } from '../../model/timeline/track.ts';
import type { TimelineProps } from './props.ts';

export interface TracksState {
  list: TrackList;
  /** The row that the keys act on. */
  activeId: string | undefined;
  showAll: boolean;
  pick: (track: Track) => void;
  toggle: (track: Track) => void;
  pin: (track: Track) => void;
  move: (by: 1 | -1) => void;
  toggleActive: () => void;
  pinActive: () => void;
  setShowAll: (on: boolean) => void;
}

const presenterRows = 6;

/** Rows, and what the user opened, closed or pinned. Opening another pod by selecting it closes nothing that was opened by hand. */
export function useTracks(props: TimelineProps): TracksState {
  const { film, version, selectedPod, selectedLane, filter = '', presenter = false, onSelectPod, onSelectLane } = props;
  const [detail, setDetail] = useState<ReadonlyMap<string, Detail>>(new Map());
  const [pinned, setPinned] = useState<ReadonlySet<string>>(new Set());
  const [showAll, setShowAll] = useState(false);
  const [activeId, setActive] = useState<string>();
  const list = useMemo(
    () => buildTracks(film, {
      metrics: presenter ? presenterMetrics : denseMetrics, detail, pinned, showAll, filter,
      ...(selectedPod === undefined ? {} : { selectedPod }), ...(selectedLane === undefined ? {} : { selectedLane }), ...(presenter ? { limit: presenterRows } : {}),
    }),
    [film, version, presenter, detail, pinned, showAll, filter, selectedPod, selectedLane],
  );
  const pick = useCallback((track: Track) => {
    setActive(track.id);
    if (track.podUid !== undefined) onSelectPod(track.podUid);
    else onSelectLane?.(track.laneId);
  }, [onSelectPod, onSelectLane]);
  const toggle = useCallback((track: Track) => {
    const uid = track.podUid;
    if (uid === undefined || track.kind !== 'pod') return;
    setDetail((old) => new Map(old).set(uid, track.open === true ? 'closed' : 'full'));
  }, []);
  const pin = useCallback((track: Track) => {
    const uid = track.podUid;
    if (uid === undefined) return;
    setPinned((old) => {
      const next = new Set(old);
      if (!next.delete(uid)) next.add(uid);
      return next;
    });
  }, []);
  const active = list.tracks.find((track) => track.id === activeId);
  return {
    list, activeId: active?.id, showAll, pick, toggle, pin, setShowAll,
    move: (by) => {
      const fallback = list.tracks.findIndex((track) => track.selected);
      const from = active === undefined ? fallback : list.tracks.indexOf(active);
      const next = list.tracks[from < 0 ? 0 : from + by];
      if (next !== undefined) pick(next);
    },
    toggleActive: () => {
      const track = active ?? list.tracks.find((other) => other.selected);
      const pod = track === undefined ? undefined : list.tracks.find((other) => other.kind === 'pod' && other.podUid === track.podUid);
      if (pod !== undefined) toggle(pod);
    },
    pinActive: () => {
      const track = active ?? list.tracks.find((other) => other.selected);
      if (track !== undefined) pin(track);
    },
  };
}
