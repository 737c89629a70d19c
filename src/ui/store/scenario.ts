import { catalog, type CatalogEntry } from '../../scenarios/catalog.ts';
import type { Input, Scenario, Step } from '../../scenarios/schema.ts';
import { openFiles } from './editor.ts';
import { engine } from './engine-client.ts';
import { openSource, type OpenOptions } from './session.ts';

/** What opens when the page is opened without a link. */
export const firstExample = '01-first-pod';

export const exampleById = (id: string | undefined): CatalogEntry | undefined => catalog.find((entry) => entry.id === id);

const loadParser = () => import('../../scenarios/parse.ts');

/** Starts what opening needs, so that it comes side by side and not one after the other. */
export function warmUp(): void {
  engine();
  void loadParser();
}

/** Opens an example of the catalog. */
export async function openExample(id: string, options: OpenOptions = {}): Promise<void> {
  const entry = exampleById(id) ?? catalog[0];
  if (entry === undefined) return;
  await openScenario(await entry.load(), { ...options, example: entry.id });
}

/** Opens the text of a scenario. Throws an error for people if it is none. */
export async function openScenario(text: string, options: OpenOptions & { seed?: number; inputs?: Input[] } = {}): Promise<void> {
  const { parseScenario } = await loadParser();
  const scenario = parseScenario(text);
  const { seed = scenario.seed, inputs = [], ...rest } = options;
  openSource({ scenario: text, seed, inputs }, { ...(scenario.select === undefined ? {} : { select: scenario.select }), ...rest });
  openFiles(options.example ?? `text ${hash(text)}`, manifestsOf(scenario));
}

/** The manifests that a scenario hands to kubectl, each as a file with a name of its own. */
export function manifestsOf(scenario: Pick<Scenario, 'steps'>): { name: string; text: string }[] {
  const found: { name: string; text: string }[] = [];
  const add = (name: string, text: string) => {
    if (found.some((file) => file.text === text)) return;
    const count = found.filter((file) => file.name === name || file.name.replace(/-\d+(?=\.yaml$)/, '') === name).length;
    found.push({ name: count === 0 ? name : name.replace(/(\.ya?ml)?$/, `-${count + 1}.yaml`), text });
  };
  for (const step of scenario.steps as readonly Step[]) {
    if (!('kubectl' in step) || !/\b(apply|create|replace|run)\b/.test(step.kubectl)) continue;
    if (step.stdin !== undefined) add(fileNameFor(step.stdin), step.stdin);
    for (const [name, text] of Object.entries(step.files ?? {})) if (/\.(ya?ml|json)$/.test(name)) add(name.replace(/^.*\//, ''), text);
  }
  return found;
}

const short: Record<string, string> = { Service: 'svc', ConfigMap: 'cm', Secret: 'secret' };

/** 'web.yaml' for a workload or several objects, 'svc-web.yaml' for a Service. */
export function fileNameFor(text: string): string {
  const kind = /^kind:\s*(\w+)/m.exec(text)?.[1] ?? '';
  const name = /^metadata:\s*\n(?:\s+.*\n)*?\s+name:\s*["']?([\w.-]+)/m.exec(text)?.[1] ?? /^metadata:\s*\{.*?name:\s*([\w.-]+)/m.exec(text)?.[1] ?? 'manifest';
  const prefix = short[kind];
  return `${prefix === undefined ? '' : `${prefix}-`}${name}.yaml`;
}

/** A short name of a text, to find drafts again. */
function hash(text: string): string {
  let value = 5381;
  for (let index = 0; index < text.length; index += 1) value = ((value * 33) ^ text.charCodeAt(index)) >>> 0;
  return value.toString(36);
}
