import { parseRfc3339 } from '../../sim/time.ts';
import { humanDuration } from '../duration.ts';
import type { PodSpec } from '../schema/types.ts';

export const none = '<none>';

/** Time since a timestamp as columns show it. Upstream: printers.go translateTimestampSince. */
export function since(timestamp: string | null | undefined, nowEpochMs: number, zero = '<unknown>'): string {
  const at = timestamp === null || timestamp === undefined ? undefined : parseRfc3339(timestamp);
  return at === undefined ? zero : humanDuration(nowEpochMs - at);
}

/** At most `max` of a list, and how many more. */
export function firstOf(list: readonly string[], max: number, empty: string, joint = ','): string {
  if (list.length > max) return `${list.slice(0, max).join(joint)} + ${list.length - max} more...`;
  return list.join(joint) || empty;
}

/** The names and the images of a pod template's containers, as wide output shows them. */
export function containersAndImages(spec: PodSpec | undefined): [names: string, images: string] {
  const containers = spec?.containers ?? [];
  return [containers.map(({ name }) => name).join(','), containers.map(({ image }) => image ?? '').join(',')];
}

const shortModes: Readonly<Record<string, string>> = { ReadWriteOnce: 'RWO', ReadOnlyMany: 'ROX', ReadWriteMany: 'RWX', ReadWriteOncePod: 'RWOP' };

/** In a fixed order, each once. */
export function accessModesText(modes: readonly string[] | undefined): string {
  return Object.keys(shortModes)
    .filter((mode) => modes?.includes(mode) === true)
    .map((mode) => shortModes[mode])
    .join(',');
}

export const title = (flag: boolean | undefined): string => (flag === undefined ? '<unset>' : flag ? 'True' : 'False');
