import { parseManifest } from '../../api/yaml.ts';
import type { Behavior } from '../../workload/contract.ts';
import { fullImageName } from './host.ts';
import { parseReference } from './reference.ts';
import { scenarioEntry } from './registry.ts';
import type { Container, RuntimeSettings } from './state.ts';

/** The behaviour in force: the pod's annotation, else the scenario's word on the image. */
export function behaviorOf(settings: RuntimeSettings, { config }: Container): Behavior | undefined {
  if (config.behavior !== undefined) {
    const parsed = readBehavior(config.behavior);
    if (parsed !== undefined) return parsed;
  }
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

/** The annotation's text. What is not a mapping is as if it were not there: the page has already said so where it was written. */
function readBehavior(text: string): Behavior | undefined {
  const value = parseManifest(text)[0]?.value;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Behavior) : undefined;
}
