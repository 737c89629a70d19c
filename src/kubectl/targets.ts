import { resources, type ApiObject, type ResourceInfo } from '../api/resources.ts';
import { ask, getObject, pathOf, resourceOfWord } from './api.ts';
import type { KubectlEnvironment } from './contract.ts';
import { Failure, isFailure, plainError, statusError } from './failure.ts';
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

const noType = (word: string) => plainError(`the server doesn't have a resource type "${word}"`);

export function resourceList(words: string): ResourceInfo[] {
  return words.split(',').flatMap((word) => {
    if (word === 'all') return resources.filter((info) => info.inAll);
    const info = resourceOfWord(word);
    if (info === undefined) throw noType(word);
    return [info];
  });
}

/**
 * The objects that arguments name: 'pod web', 'pods a b', 'deploy/web svc/web', '-f file', or all / by selector. Upstream: resource.Builder.
 * `needsName`: a bare kind without --all or -l is an error.
 */
export function targetsOf(words: readonly string[], parsed: ParsedArguments, environment: KubectlEnvironment, nothing: string): (Target | Failure)[] {
  const { namespace } = environment;
  if (parsed.has('filename')) {
    return readItems(parsed.list('filename'), environment).map((item) => (item instanceof Failure ? item : {
      info: item.info, namespace: item.namespace, name: item.object.metadata?.name ?? '', source: item.source,
    }));
  }
  if (words.length === 0) throw plainError(nothing);
  const place = (info: ResourceInfo) => (info.namespaced ? namespace : '');
  if (words.some((word) => word.includes('/'))) {
    return words.map((word) => {
      const [kind = '', name = '', more] = word.split('/');
      if (more !== undefined) throw plainError(`arguments in resource/name form may not have more than one slash`);
      if (!word.includes('/')) throw plainError(`there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'`);
      const info = resourceOfWord(kind);
      if (info === undefined) throw noType(kind);
      return { info, namespace: place(info), name };
    });
  }
  const infos = resourceList(words[0] as string);
  const names = words.slice(1);
  if (names.length > 0) return infos.flatMap((info) => names.map((name) => ({ info, namespace: place(info), name })));
  if (!parsed.bool('all') && !parsed.has('selector') && !parsed.has('field-selector')) throw plainError('resource(s) were provided, but no name was specified');
  return infos.flatMap((info) => listObjects(environment, info, parsed).map((object) => ({ info, namespace: object.metadata.namespace ?? '', name: object.metadata.name })));
}

export function listObjects({ client, namespace }: KubectlEnvironment, info: ResourceInfo, parsed: ParsedArguments): ApiObject[] {
  const query: Record<string, string> = {};
  const selector = parsed.text('selector');
  const fields = parsed.text('field-selector');
  if (selector !== undefined) query.labelSelector = selector;
  if (fields !== undefined) query.fieldSelector = fields;
  const everywhere = parsed.bool('all-namespaces');
  const response = ask(client, 'GET', pathOf(info, info.namespaced && !everywhere ? namespace : ''), { query });
  if (isFailure(response)) throw statusError(response);
  return (response.body as { items: ApiObject[] }).items;
}

/** The object of a target, or the NotFound text that kubectl prints. */
export function fetchTarget({ client }: KubectlEnvironment, { info, namespace, name }: Target): ApiObject {
  const object = getObject(client, info, namespace, name);
  if (object === undefined) throw new Failure(`Error from server (NotFound): ${info.resource} "${name}" not found\n`);
  return object;
}
