import { parseManifest } from '../api/yaml.ts';
import { resourceOfKind, type NewObject, type ResourceInfo } from '../api/resources.ts';
import type { KubectlEnvironment } from './contract.ts';
import { Failure, plainError } from './failure.ts';
import type { ParsedArguments } from './flags.ts';

/** One object of a file, with its resource. */
export interface Item {
  source: string;
  info: ResourceInfo;
  object: NewObject;
  namespace: string;
}

/** A document that is no object of this server: it fails, the others go on. */
export type ItemOrFailure = Item | Failure;

/** The environment as -n changes it: a namespace that is asked for must agree with the files'. */
export interface Place extends KubectlEnvironment {
  enforced?: boolean;
}

export function withNamespace(environment: KubectlEnvironment, parsed: ParsedArguments): Place {
  const namespace = parsed.text('namespace');
  return namespace === undefined ? environment : { ...environment, namespace, enforced: true };
}

/** Reads all objects of the named files ('-': standard input). Upstream: cli-runtime resource.Builder. */
export function readItems(files: readonly string[], environment: Place): ItemOrFailure[] {
  return files.flatMap((file) => {
    if (file === '-') return itemsOf(environment.stdin ?? '', 'STDIN', environment);
    const text = environment.files?.[file];
    if (text === undefined) return [plainError(`the path "${file}" does not exist`)];
    return itemsOf(text, file, environment);
  });
}

function itemsOf(text: string, source: string, environment: Place): ItemOrFailure[] {
  const result: ItemOrFailure[] = [];
  for (const document of parseManifest(text)) {
    const fatal = document.problems.find((problem) => problem.severity === 'error');
    if (fatal !== undefined) {
      result.push(plainError(`error parsing ${source}: error converting YAML to JSON: ${fatal.message}`));
      continue;
    }
    if (document.value === undefined || document.value === null) continue;
    result.push(...flatten(document.value, source, environment));
  }
  return result;
}

function flatten(value: unknown, source: string, environment: Place): ItemOrFailure[] {
  const invalid = (why: string) => plainError(`error validating "${source}": error validating data: ${why}; if you choose to ignore these errors, turn validation off with --validate=false`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [invalid('invalid object to validate')];
  const object = value as NewObject & { items?: unknown[] };
  const missing = [...(object.apiVersion ? [] : ['apiVersion not set']), ...(object.kind ? [] : ['kind not set'])];
  if (missing.length > 0) return [invalid(missing.length > 1 ? `[${missing.join(', ')}]` : (missing[0] as string))];
  if (object.kind === 'List' && Array.isArray(object.items)) return object.items.flatMap((item) => flatten(item, source, environment));
  const info = resourceOfKind(String(object.apiVersion), String(object.kind));
  const { name = '', namespace } = object.metadata ?? {};
  if (info === undefined) {
    return [new Failure(`error: resource mapping not found for name: "${name}" namespace: "${namespace ?? ''}" from "${source}": no matches for kind "${object.kind}" in version "${object.apiVersion}"\nensure CRDs are installed first\n`)];
  }
  if (info.namespaced && environment.enforced === true && namespace !== undefined && namespace !== '' && namespace !== environment.namespace) {
    return [plainError(`the namespace from the provided object "${namespace}" does not match the namespace "${environment.namespace}". You must pass '--namespace=${namespace}' to perform this operation.`)];
  }
  return [{ source, info, object, namespace: info.namespaced ? (namespace || environment.namespace) : '' }];
}

/** With its namespace written down, as everything is sent. */
export const located = ({ object, info, namespace }: Item): NewObject =>
  (info.namespaced ? { ...object, metadata: { ...object.metadata, namespace } } : object);
