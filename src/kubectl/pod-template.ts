import type { ApiObject } from '../api/resources.ts';
import type { Container, PodSpec } from '../api/schema/types.ts';

/** The kinds that hold a pod template, and where. Upstream: polymorphichelpers/updatepodspec.go. */
const places: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'], ReplicationController: ['spec', 'template', 'spec'], Deployment: ['spec', 'template', 'spec'], ReplicaSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'], StatefulSet: ['spec', 'template', 'spec'], Job: ['spec', 'template', 'spec'], CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/** The pod spec within an object; undefined for kinds that have none. */
export function podSpecOf(object: ApiObject): PodSpec | undefined {
  return places[object.kind]?.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object) as PodSpec | undefined;
}

/** A patch of the pod spec as a patch of the whole object. */
export function patchOfPodSpec({ kind }: ApiObject, patch: unknown): unknown {
  return (places[kind] ?? []).reduceRight<unknown>((inner, key) => ({ [key]: inner }), patch);
}

/** Names with '*' as a shell matches them. */
export function matchingContainers(containers: readonly Container[], pattern: string): Container[] {
  const regex = new RegExp(`^${pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`);
  return containers.filter(({ name }) => regex.test(name));
}
