import { mergePatch, strategicMergePatch } from '../api/meta/patches.ts';
import type { ApiObject, ResourceInfo } from '../api/resources.ts';
import { ask, pathOf } from './api.ts';
import type { ApiClient } from './contract.ts';
import { Failure, isFailure, plainError, statusError } from './failure.ts';
import type { ParsedArguments } from './flags.ts';
import { withNamespace, type Place } from './manifests.ts';
import type { Printer } from './registry.ts';
import { dryRunOf, failTogether, reporter, warn, writeQuery, type Reporter } from './report.ts';
import { findObjects, type Found } from './targets.ts';

export type PatchType = 'strategic' | 'merge' | 'json';

export const patchTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json', merge: 'application/merge-patch+json', strategic: 'application/strategic-merge-patch+json',
};

/** What a change of one object needs around it. */
export interface Change {
  parsed: ParsedArguments;
  client: ApiClient;
  out: Printer;
  manager: string;
}

/** Patches an object, or only says how it would be. */
export function patchObject({ parsed, client, out, manager }: Change, { info, namespace, name, object }: Found, patch: unknown, type: PatchType = 'merge', subresource?: string): ApiObject {
  if (dryRunOf(parsed) === 'client') return locally(info, object, patch, type);
  const { fieldValidation: _, ...query } = writeQuery(parsed, manager);
  const response = ask(client, 'PATCH', pathOf(info, namespace, name, subresource), { query, body: patch, contentType: patchTypes[type] });
  warn(out, response);
  if (isFailure(response)) throw statusError(response);
  return response.body as ApiObject;
}

function locally(info: ResourceInfo, object: ApiObject, patch: unknown, type: PatchType): ApiObject {
  if (type === 'merge') return mergePatch(object, patch) as ApiObject;
  const result = strategicMergePatch(object, patch, info.struct ?? info.kind);
  return 'error' in result ? object : (result.value as ApiObject);
}

/** POST of an object that kubectl made itself. `doing`: what an error begins with. */
export function createObject({ parsed, client, out, manager }: Change, info: ResourceInfo, namespace: string, object: ApiObject, doing?: string): unknown {
  if (dryRunOf(parsed) === 'client') return object;
  const response = ask(client, 'POST', pathOf(info, namespace), { query: writeQuery(parsed, manager), body: object });
  warn(out, response);
  if (!isFailure(response)) return response.body;
  if (doing !== undefined) throw plainError(`${doing}: ${(response.body as { message?: string }).message ?? ''}`);
  throw statusError(response);
}

/** Reads the objects that the arguments name, changes each, and says so. What is missing is an error at the end. */
export function changeEach(
  words: readonly string[], parsed: ParsedArguments, environment: Place, out: Printer, manager: string, options: { nothing?: string; bareIsAll?: boolean },
  work: (found: Found, change: Change, report: Reporter) => void,
): void {
  const place = withNamespace(environment, parsed);
  const byKind = words.length === 1 && !(words[0] as string).includes('/') && !parsed.has('filename');
  if (byKind && options.bareIsAll !== true && !parsed.bool('all') && !parsed.has('selector') && !parsed.has('field-selector')) throw plainError('resource(s) were provided, but no name was specified');
  const { found, failures } = findObjects(words, parsed, place, options.nothing === undefined ? {} : { nothing: options.nothing });
  const report = reporter(parsed, out);
  const change: Change = { parsed, client: place.client, out, manager };
  for (const item of found) {
    try {
      work(item, change, report);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
    }
  }
  failTogether(failures);
}
