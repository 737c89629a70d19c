import { useEffect, useRef, useState } from 'react';
import type { Places } from '../../model/map/map.ts';

const travelMs = 400;

/** Pods that were just bound: their chips travel from the queue to the node. Any other change of place snaps. */
export function useTravel(places: Places, still: boolean): ReadonlySet<string> {
  const before = useRef<ReadonlySet<string>>(new Set());
  const [travelling, setTravelling] = useState<ReadonlySet<string>>(none);
  const queued = new Set(places.pods.flatMap((pod) => (pod.zone === 'queue' ? [pod.uid] : [])));
  const bound = still ? [] : places.pods.flatMap((pod) => (pod.zone === 'node' && before.current.has(pod.uid) ? [pod.uid] : []));
  const key = bound.join(' ');
  useEffect(() => {
    before.current = queued;
  });
  useEffect(() => {
    if (key === '') return undefined;
    const uids = key.split(' ');
    setTravelling((old) => new Set([...old, ...uids]));
    const timer = setTimeout(() => setTravelling(none), travelMs);
    return () => clearTimeout(timer);
  }, [key]);
  return bound.length > 0 ? new Set([...travelling, ...bound]) : travelling;
}

const none: ReadonlySet<string> = new Set();
