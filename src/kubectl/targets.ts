import { apiVersionOf, resources, type ApiObject, type ResourceInfo } from '../api/resources.ts';
import type { Status } from '../api/schema/types.ts';
import { compareText } from '../sim/plain.ts';
import { ask, getObject, pathOf, resourceOfWord } from './api.ts';
import type { KubectlEnvironment } from './contract.ts';
import { Failure, isFailure, notFound, plainError, statusError } from './failure.ts';
import type { ParsedArguments } from './flags.ts';
import { readItems } from './manifests.ts';

/** An object that a command is about: named, or found by a selector. */
export interface Target {
  info: ResourceInfo;
  namespace: string;
  name: string;
  /** The file that named it. */
  source?: string;
}

export const needsResource = `You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`;

export function resourceList(words: string): ResourceInfo[] {
  return words.split(',').flatMap((word) => {
    if (word === 'all') return allResources;
    const info = resourceOfWord(word);
    if (info === undefined) throw plainError(`the server doesn't have a resource type "${word}"`);
    return [info];
  });
}

/** In the order of discovery: groups and plurals by name. */
const allResources = resources.filter((info) => info.inAll).sort((a, b) => compareText(a.group, b.group) || compareText(a.plural, b.plural));

interface Choice {
  /** What is said when no words and no file are given. */
  nothing?: string;
  /** A bare kind means all of its objects, without --all or -l. */
  bareIsAll?: boolean;
}

/**
 * The objects that arguments name: 'pod web', 'pods a b', 'deploy/web svc/web', '-f file', or all / by selector. Upstream: resource.Builder.
 */
export function targetsOf(words: readonly string[], parsed: ParsedArguments, environment: KubectlEnvironment, { nothing = needsResource, bareIsAll = false }: Choice = {}): (Target | Failure)[] {
  const { namespace } = environment;
  if (parsed.has('filename')) {
    return readItems(parsed.list('filename'), environment).map((item) => (item instanceof Failure ? item : {
      info: item.info, namespace: item.namespace, name: item.object.metadata?.name ?? '', source: item.source,
    }));
  }
  if (words.length === 0) throw plainError(nothing);
  const place = (info: ResourceInfo) => (info.namespaced ? namespace : '');
  const pairs = pairsOf(words);
  if (pairs !== undefined) return pairs.map(({ info, name }) => ({ info, namespace: place(info), name }));
  const infos = resourceList(words[0] as string);
  const names = words.slice(1);
  if (names.length > 0) {
    if (parsed.bool('all-namespaces')) throw plainError('a resource cannot be retrieved by name across all namespaces');
    return infos.flatMap((info) => names.map((name) => ({ info, namespace: place(info), name })));
  }
  if (!bareIsAll && !parsed.bool('all') && !parsed.has('selector') && !parsed.has('field-selector')) throw plainError('resource(s) were provided, but no name was specified');
  return infos.flatMap((info) => listObjects(environment, info, selectionOf(parsed)).map(({ metadata }) => ({ info, namespace: metadata.namespace ?? '', name: metadata.name })));
}

/** 'deploy/web svc/web'; undefined when no word has a slash. */
export function pairsOf(words: readonly string[]): { info: ResourceInfo; name: string }[] | undefined {
  if (!words.some((word) => word.includes('/'))) return undefined;
  return words.map((word) => {
    const [kind = '', name = '', more] = word.split('/');
    if (more !== undefined) throw plainError('arguments in resource/name form may not have more than one slash');
    if (!word.includes('/')) throw plainError("there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'");
    if (kind === '' || name === '') throw plainError('arguments in resource/name form must have a single resource and name');
    return { info: resourceList(kind)[0] as ResourceInfo, name };
  });
}

export interface Selection {
  selector?: string;
  fields?: string;
  everywhere?: boolean;
}

export function selectionOf(parsed: ParsedArguments): Selection {
  const selector = parsed.text('selector');
  const fields = parsed.text('field-selector');
  return { ...(selector === undefined ? {} : { selector }), ...(fields === undefined ? {} : { fields }), everywhere: parsed.bool('all-namespaces') };
}

/** The answer to a list question. Upstream: cli-runtime resource.EnhanceListError. */
export function listOf({ client, namespace }: KubectlEnvironment, info: ResourceInfo, { selector, fields, everywhere = false }: Selection, accept?: string, query: Record<string, string> = {}): unknown {
  const asked = { ...query, ...(selector === undefined ? {} : { labelSelector: selector }), ...(fields === undefined ? {} : { fieldSelector: fields }) };
  const response = ask(client, 'GET', pathOf(info, info.namespaced && !everywhere ? namespace : ''), { query: asked, ...(accept === undefined ? {} : { accept }) });
  if (!isFailure(response)) return response.body;
  const status = response.body as Status;
  if (status.reason !== 'BadRequest' || (selector === undefined && fields === undefined)) throw statusError(response);
  const found = `${info.group}/${info.version}, Resource=${info.plural}`;
  throw new Failure(`Error from server (BadRequest): Unable to find "${found}" that match label selector ${JSON.stringify(selector ?? '')}, field selector ${JSON.stringify(fields ?? '')}: ${status.message ?? ''}\n`);
}

/** The objects of a kind, with their kind and version. */
export function listObjects(environment: KubectlEnvironment, info: ResourceInfo, selection: Selection): ApiObject[] {
  return (listOf(environment, info, selection) as { items: ApiObject[] }).items.map((object) => ({ ...object, apiVersion: apiVersionOf(info), kind: info.kind }));
}

/** The object of a target, or the NotFound text that kubectl prints. */
export function fetchTarget({ client }: KubectlEnvironment, { info, namespace, name }: Target): ApiObject {
  const object = getObject(client, info, namespace, name);
  if (object === undefined) throw notFound(info, name);
  return object;
}

export interface Found extends Target {
  object: ApiObject;
}

/** Reads all objects that arguments name. What is not there is told apart, the others are found all the same. A bare kind means all. */
export function findObjects(words: readonly string[], parsed: ParsedArguments, environment: KubectlEnvironment, choice: Choice = {}): { found: Found[]; failures: Failure[] } {
  const found: Found[] = [];
  const failures: Failure[] = [];
  const byKind = !parsed.has('filename') && words.length === 1 && !(words[0] as string).includes('/');
  const collect = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
    }
  };
  if (byKind) {
    for (const info of resourceList(words[0] as string)) {
      collect(() => found.push(...listObjects(environment, info, selectionOf(parsed)).map((object) => ({ info, namespace: object.metadata.namespace ?? '', name: object.metadata.name, object }))));
    }
    return { found, failures };
  }
  for (const target of targetsOf(words, parsed, environment, choice)) {
    collect(() => {
      if (target instanceof Failure) throw target;
      found.push({ ...target, object: fetchTarget(environment, target) });
    });
  }
  return { found, failures };
}
