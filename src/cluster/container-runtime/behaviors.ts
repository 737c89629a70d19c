import { parseBehavior } from '../../workload/behavior.ts';
import type { Behavior } from '../../workload/contract.ts';
import { fullImageName } from './host.ts';
import { parseReference } from './reference.ts';
import { scenarioEntry } from './registry.ts';
import type { Container, RuntimeSettings } from './state.ts';

/** The behaviour in force: the pod's annotation, else the scenario's word on the image. */
export function behaviorOf(settings: RuntimeSettings, { config }: Container): Behavior | undefined {
  // What is wrong in the annotation is said where it is written; here the parts that are right count.
  if (config.behavior !== undefined) return parseBehavior(config.behavior).behavior;
  const reference = parseReference(config.image);
  if (typeof reference === 'string') return undefined;
  const applies = (container: string | undefined) => container === undefined || container === config.name;
  const { workloads } = settings;
  const exact = workloads.find((row) => applies(row.container) && fullImageName(row.image) === reference.name);
  const byRepository = workloads.find((row) => {
    const other = parseReference(row.image);
    return applies(row.container) && typeof other !== 'string' && other.repository === reference.repository && !/[:@]/.test(row.image.slice(row.image.lastIndexOf('/') + 1));
  });
  return (exact ?? byRepository)?.behavior ?? scenarioEntry(settings, reference)?.behavior;
}
