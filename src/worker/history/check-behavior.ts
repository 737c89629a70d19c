import type { NewObject } from '../../api/resources.ts';
import { parseBehavior } from '../../workload/behavior.ts';

const prefix = 'kubelapse.dev/behavior.';

/** What is wrong in the behavior blocks of a pod or of a workload's template, with the annotation that holds each. */
export function behaviorProblems(object: NewObject): { path: string; message: string }[] {
  const template = (object as { spec?: { template?: { metadata?: { annotations?: unknown } } } }).spec?.template?.metadata?.annotations;
  return [...blocksOf(object.metadata?.annotations, 'metadata'), ...blocksOf(template, 'spec.template.metadata')];
}

function blocksOf(annotations: unknown, root: string): { path: string; message: string }[] {
  if (typeof annotations !== 'object' || annotations === null) return [];
  return Object.entries(annotations).flatMap(([key, value]) => {
    if (!key.startsWith(prefix) || typeof value !== 'string') return [];
    return parseBehavior(value).problems.map((message) => ({ path: `${root}.annotations[${key}]`, message: `${key}: ${message}` }));
  });
}
