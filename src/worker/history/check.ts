import { nearestField, structAt } from '../../api/fields.ts';
import { checkPaste } from '../../api/paste.ts';
import { resourceOfKind, resources, type NewObject, type ResourceInfo } from '../../api/resources.ts';
import type { Status, StatusCause } from '../../api/schema/types.ts';
import { parseManifest, type ManifestDocument } from '../../api/yaml.ts';
import { ask } from '../../kubectl/api.ts';
import type { ApiClient, RestResponse } from '../../kubectl/contract.ts';
import { startKubectl } from '../../kubectl/kubectl.ts';
import type { Problem } from '../protocol.ts';
import { keyFix, pathOfMessage, valueFix } from './check-places.ts';
import { behaviorProblems } from './check-behavior.ts';
import { notSimulated } from './not-simulated.ts';

type Found = Omit<Problem, 'line' | 'column' | 'endLine' | 'endColumn'>;

/**
 * All that is wrong with a text, each at its place: characters that do not belong, YAML, unknown kinds, and what `kubectl apply` would be told.
 * What later documents rest on (a Namespace, a PriorityClass) is really made: the client's cluster is a copy that nobody else sees.
 */
export function checkManifest(text: string, client: ApiClient, namespace: string): Problem[] {
  const problems: Problem[] = checkPaste(text);
  if (problems.some((problem) => problem.severity === 'error')) return problems;
  const documents = parseManifest(text);
  for (const [index, document] of documents.entries()) {
    problems.push(...document.problems);
    if (document.problems.some((problem) => problem.severity === 'error') || document.value === undefined || document.value === null) continue;
    const found = checkDocument(document, text, client, namespace);
    problems.push(...found);
    if (index < documents.length - 1 && !found.some((problem) => problem.severity === 'error')) prepare(document.value as NewObject, client, namespace);
  }
  return problems;
}

const restedOn = new Set(['Namespace', 'PriorityClass', 'ServiceAccount', 'LimitRange', 'ResourceQuota', 'StorageClass']);

function prepare(object: NewObject, client: ApiClient, namespace: string): void {
  if (!restedOn.has(object.kind)) return;
  startKubectl(['apply', '-f', '-'], { client, namespace, stdin: JSON.stringify(object) });
  if (object.kind !== 'Namespace') return;
  // What a controller has put into a namespace by the time that it is used.
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
  ask(client, 'POST', `/api/v1/namespaces/${object.metadata?.name ?? ''}/serviceaccounts`, { body: account });
}

function at(document: ManifestDocument, path: string, found: Found): Problem {
  const place = document.locate(path) ?? document.locate('kind') ?? document.locate('apiVersion') ?? { line: 1, column: 1, endLine: 1, endColumn: 2 };
  return { ...found, ...place, fieldPath: path };
}

function checkDocument(document: ManifestDocument, text: string, client: ApiClient, namespace: string): Problem[] {
  const error = (path: string, message: string) => at(document, path, { severity: 'error', source: 'kubectl', message });
  const value = document.value as NewObject;
  if (typeof value !== 'object' || Array.isArray(value)) return [error('', 'error validating data: invalid object to validate')];
  if (!value.apiVersion) return [misspelt(document, value, 'apiVersion', 'kind')];
  if (!value.kind) return [misspelt(document, value, 'kind', 'apiVersion')];
  const info = resourceOfKind(String(value.apiVersion), String(value.kind));
  if (value.kind !== 'List' && info === undefined) return [unknownKind(document, value, text)];
  const found = info === undefined ? [] : notSimulated(info, value).map((field) => at(document, field.path, { severity: 'info', source: 'kubelapse', message: field.message }));
  found.push(...behaviorProblems(value).map((field) => at(document, field.path, { severity: 'warning', source: 'kubelapse', message: field.message })));
  const { response, stderr } = tryOut(value, client, namespace);
  const warnings = (response?.warnings ?? []).map((message) => at(document, message.slice(0, Math.max(0, message.indexOf(':'))), { severity: 'warning', source: 'apiserver', message }));
  if (response !== undefined && response.code >= 400) return [...found, ...warnings, ...refusals(document, text, info, response.body as Status)];
  return [...found, ...warnings, ...(stderr === undefined ? [] : [error(pathOfMessage(stderr, value), stderr)])];
}

/** Applies without effect, as kubectl does it; the answer to the last write, and what kubectl said if it failed on its own. */
function tryOut(value: NewObject, client: ApiClient, namespace: string): { response?: RestResponse; stderr?: string } {
  let response: RestResponse | undefined;
  const listening: ApiClient = {
    epochMs: client.epochMs,
    request: (request) => {
      const answer = client.request(request);
      if (request.method !== 'GET') response = answer;
      return answer;
    },
    startExec: client.startExec,
    execOutcome: client.execOutcome,
  };
  const outcome = startKubectl(['apply', '-f', '-', '--dry-run=server'], { client: listening, namespace, stdin: JSON.stringify(value) });
  const failed = outcome.status === 'done' && outcome.exit !== 0;
  return { ...(response === undefined ? {} : { response }), ...(failed ? { stderr: outcome.stderr.trim() } : {}) };
}

/** A field that every object has is not there; perhaps under a name that only looks like it. */
function misspelt(document: ManifestDocument, value: NewObject, field: string, beside: string): Problem {
  const near = Object.keys(value).find((key) => nearestField('Pod', key) === field);
  const problem = at(document, near ?? beside, { severity: 'error', source: 'kubectl', message: `error validating data: ${field} not set` });
  return near === undefined ? problem : keyFix(problem, field, near);
}

function unknownKind(document: ManifestDocument, value: NewObject, text: string): Problem {
  const message = `no matches for kind "${value.kind}" in version "${value.apiVersion}"`;
  const sameKind = resources.find((info) => info.kind === value.kind);
  if (sameKind !== undefined) {
    const right = sameKind.group === '' ? sameKind.version : `${sameKind.group}/${sameKind.version}`;
    return valueFix(at(document, 'apiVersion', { severity: 'error', source: 'kubectl', message }), text, () => right);
  }
  const word = String(value.kind).toLowerCase();
  const near = resources.find((info) => [info.kind.toLowerCase(), info.plural, ...info.shortNames].includes(word));
  const problem = at(document, 'kind', { severity: 'error', source: 'kubectl', message });
  return near === undefined ? problem : valueFix(problem, text, () => near.kind);
}

const unknownField = /unknown field ("(?:[^"\\]|\\.)*")/g;

/** A text that Go has put into quotes. */
const unquoted = (text: string): string =>
  text.slice(1, -1).replace(/\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|x([0-9a-f]{2})|(.))/g, (_, short?: string, long?: string, byte?: string, plain?: string) =>
    plain ?? String.fromCodePoint(parseInt(short ?? long ?? byte ?? '', 16)));

function refusals(document: ManifestDocument, text: string, info: ResourceInfo | undefined, status: Status): Problem[] {
  const error = (path: string, message: string) => at(document, path, { severity: 'error', source: 'apiserver', message });
  const causes = (status.details?.causes ?? []).filter((cause) => cause.field !== undefined);
  const message = status.message ?? 'refused';
  const unknown = [...message.matchAll(unknownField)].map((match) => unquoted(match[1] as string));
  if (unknown.length > 0) return unknown.map((path) => unknownAt(error, info, path));
  if (causes.length > 0) return causes.map((cause) => causeProblem(error, cause));
  const problem = error(pathOfMessage(message, document.value), message);
  if (/cannot unmarshal (number|bool)\b.* of type string/.test(message)) return [valueFix(problem, text, (raw) => `"${raw}"`)];
  return [/cannot unmarshal string\b.* of type int/.test(message) ? valueFix(problem, text, (raw) => (/^["']\d+["']$/.test(raw) ? raw.slice(1, -1) : raw)) : problem];
}

function unknownAt(error: (path: string, message: string) => Problem, info: ResourceInfo | undefined, path: string): Problem {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const struct = info === undefined ? undefined : structAt(info.struct ?? info.kind, path);
  const near = struct === undefined ? undefined : nearestField(struct, name);
  const problem = error(path, `unknown field "${path}"${near === undefined ? '' : `: did you mean "${near}"?`}`);
  return near === undefined ? problem : keyFix(problem, near, name);
}

function causeProblem(error: (path: string, message: string) => Problem, { field = '', message = '' }: StatusCause): Problem {
  return error(field, `${field}: ${message}`);
}

