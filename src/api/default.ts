import { defaultPod } from './core-v1/pod-defaults.ts';
import type { ApiObject, ResourceInfo } from './resources.ts';
import type { Pod } from './schema/types.ts';

/** Fills in what the server fills in, in place: give it a copy. Upstream: pkg/apis/.../v1/defaults.go. */
export function applyDefaults(info: ResourceInfo, object: ApiObject): void {
  if (info.kind === 'Pod') defaultPod(object as Pod);
}
