import { parseYaml } from '../api/yaml.ts';
import { defaultEpochMs } from '../sim/time.ts';
import type { Fault, Scenario, Step } from './schema.ts';

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** '1m30s' -> 90000. A bare number counts as seconds. Undefined: not a duration. */
export function parseScenarioDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.round(value * 1000);
  if (typeof value !== 'string') return undefined;
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map((part) => part[0]).join('') !== value) return undefined;
  return Math.round(parts.reduce((sum, part) => sum + Number(part[1]) * (unitMs[part[2] as string] as number), 0));
}

export class ScenarioError extends Error {
  override name = 'ScenarioError';
}

function duration(value: unknown, where: string): number {
  const ms = parseScenarioDuration(value);
  if (ms === undefined) throw new ScenarioError(`${where}: not a duration: ${JSON.stringify(value)} (like 500ms, 30s, 1m30s)`);
  return ms;
}

type Raw = Record<string, unknown>;
const record = (value: unknown): Raw => (typeof value === 'object' && value !== null ? (value as Raw) : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const texts = (value: unknown, otherwise: string[]): string[] => (Array.isArray(value) ? value.map(String) : otherwise);

function parseStep(raw: Raw, index: number): Step {
  const where = `steps[${index}]`;
  const atMs = duration(raw.at, `${where}.at`);
  if (typeof raw.kubectl === 'string') {
    return {
      atMs,
      kubectl: raw.kubectl,
      ...(typeof raw.stdin === 'string' ? { stdin: raw.stdin } : {}),
      ...(raw.files === undefined ? {} : { files: record(raw.files) as Record<string, string> }),
    };
  }
  if (typeof raw.fault === 'object' && raw.fault !== null) return { atMs, fault: raw.fault as Fault };
  throw new ScenarioError(`${where}: needs either kubectl or fault`);
}

/** Reads a scenario file. Throws ScenarioError with the place and what is wrong. */
export function parseScenario(text: string, id = 'scenario'): Scenario {
  let raw: Raw;
  try {
    raw = record(parseYaml(text));
  } catch (error) {
    throw new ScenarioError(`not YAML: ${(error as Error).message}`);
  }
  const steps = list(raw.steps).map((step, index) => parseStep(record(step), index));
  steps.forEach((step, index) => {
    if (index > 0 && step.atMs < (steps[index - 1] as Step).atMs) throw new ScenarioError(`steps[${index}]: steps are not in time order`);
  });
  const startSecond = typeof raw.startSecond === 'number' ? raw.startSecond : 0;
  return {
    id,
    title: String(raw.title ?? id),
    ...(typeof raw.titleZh === 'string' ? { titleZh: raw.titleZh } : {}),
    nodes: Array.isArray(raw.nodes) ? (raw.nodes as Scenario['nodes']) : 'default',
    namespace: String(raw.namespace ?? 'default'),
    seed: typeof raw.seed === 'number' ? raw.seed : 7,
    epochMs: defaultEpochMs + startSecond * 1000,
    images: record(raw.images) as Scenario['images'],
    steps,
    untilMs: raw.until === undefined ? 120_000 : duration(raw.until, 'until'),
    watch: texts(raw.watch, ['pods', 'events']),
    final: texts(raw.final, ['get pods -o wide', 'get events --sort-by=.lastTimestamp']),
    workloads: list(raw.workloads) as Scenario['workloads'],
    registry: list(raw.registry) as Scenario['registry'],
    traffic: list(raw.traffic) as Scenario['traffic'],
    ...(typeof raw.select === 'string' ? { select: raw.select } : {}),
    ...(typeof raw.group === 'string' ? { group: raw.group } : {}),
  };
}
