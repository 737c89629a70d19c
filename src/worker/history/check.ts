import { nearestField, structAt } from '../../api/fields.ts';
import { checkPaste } from '../../api/paste.ts';
import { resourceOfKind, resources, type NewObject, type ResourceInfo } from '../../api/resources.ts';
import type { Status, StatusCause } from '../../api/schema/types.ts';
import { parseManifest, type ManifestDocument } from '../../api/yaml.ts';
import { ask, pathOf } from '../../kubectl/api.ts';
import type { ApiClient } from '../../kubectl/contract.ts';
import type { Problem } from '../protocol.ts';
import { notSimulated } from './not-simulated.ts';

type Found = Omit<Problem, 'line' | 'column' | 'endLine' | 'endColumn'>;

/** All that is wrong with a text, each at its place: characters that do not belong, YAML, unknown kinds, and what the API server would refuse. */
export function checkManifest(text: string, client: ApiClient, namespace: string): Problem[] {
  const problems: Problem[] = checkPaste(text);
  if (problems.some((problem) => problem.severity === 'error')) return problems;
  const documents = parseManifest(text);
  const names = namespacesMadeHere(documents);
  for (const document of documents) {
    problems.push(...document.problems);
    if (document.problems.some((problem) => problem.severity === 'error') || document.value === undefined || document.value === null) continue;
    problems.push(...checkDocument(document, client, namespace, names));
  }
  return problems;
}

function namespacesMadeHere(documents: readonly ManifestDocument[]): Set<string> {
  return new Set(documents.flatMap(({ value }) => {
    const object = value as NewObject | null | undefined;
    return object?.kind === 'Namespace' && object.metadata?.name !== undefined ? [object.metadata.name] : [];
  }));
}

function at(document: ManifestDocument, path: string, found: Found): Problem {
  const place = document.locate(path) ?? document.locate('') ?? { line: 1, column: 1, endLine: 1, endColumn: 2 };
  return { ...found, ...place, fieldPath: path };
}

function checkDocument(document: ManifestDocument, client: ApiClient, namespace: string, madeHere: ReadonlySet<string>): Problem[] {
  const error = (path: string, message: string, source: Problem['source'] = 'kubectl') => at(document, path, { severity: 'error', source, message });
  const value = document.value as NewObject;
  if (typeof value !== 'object' || Array.isArray(value)) return [error('', 'error validating data: invalid object to validate')];
  if (value.kind === 'List') return [];
  if (!value.apiVersion) return [error('kind', 'error validating data: apiVersion not set')];
  if (!value.kind) return [error('apiVersion', 'error validating data: kind not set')];
  const info = resourceOfKind(String(value.apiVersion), String(value.kind));
  if (info === undefined) return [unknownKind(document, value)];
  const home = info.namespaced ? (value.metadata?.namespace ?? namespace) : '';
  const query = { dryRun: 'All', fieldValidation: 'Strict', fieldManager: 'kubectl-client-side-apply' };
  const found = [...notSimulated(info, value).map((field) => at(document, field.path, { severity: 'info', source: 'kubelapse', message: field.message }))];
  if (madeHere.has(home)) return found;
  let response = ask(client, 'POST', pathOf(info, home), { query, body: value });
  if (response.code === 409 && value.metadata?.name !== undefined) {
    response = ask(client, 'PATCH', pathOf(info, home, value.metadata.name), { query, body: value, contentType: 'application/strategic-merge-patch+json' });
  }
  const warnings = response.warnings.map((message) => at(document, message.slice(0, Math.max(0, message.indexOf(':'))), { severity: 'warning', source: 'apiserver', message }));
  if (response.code < 400) return [...found, ...warnings];
  return [...found, ...warnings, ...refusals(document, info, response.body as Status)];
}

function unknownKind(document: ManifestDocument, value: NewObject): Problem {
  const message = `no matches for kind "${value.kind}" in version "${value.apiVersion}"`;
  const sameKind = resources.find((info) => info.kind === value.kind);
  if (sameKind !== undefined) {
    const right = sameKind.group === '' ? sameKind.version : `${sameKind.group}/${sameKind.version}`;
    return withFix(at(document, 'apiVersion', { severity: 'error', source: 'kubectl', message }), `apiVersion: ${right}`, right, String(value.apiVersion));
  }
  const near = resources.find((info) => info.kind.toLowerCase() === String(value.kind).toLowerCase());
  const problem = at(document, 'kind', { severity: 'error', source: 'kubectl', message });
  return near === undefined ? problem : withFix(problem, `kind: ${near.kind}`, near.kind, String(value.kind));
}

/** A repair of the word at the problem's place. A key's place covers the key alone, a scalar's the scalar. */
function withFix(problem: Problem, title: string, text: string, found: string): Problem {
  const { line, column } = problem;
  return { ...problem, fix: { title, line, column, endLine: line, endColumn: column + found.length, text } };
}

const unknownField = /unknown field "([^"]+)"/g;

function refusals(document: ManifestDocument, info: ResourceInfo, status: Status): Problem[] {
  const causes = (status.details?.causes ?? []).filter((cause) => cause.field !== undefined);
  if (causes.length > 0) return causes.map((cause) => causeProblem(document, cause));
  const message = status.message ?? 'refused';
  const unknown = [...message.matchAll(unknownField)].map((match) => match[1] as string);
  if (unknown.length === 0) return [at(document, pathIn(message), { severity: 'error', source: 'apiserver', message })];
  return unknown.map((path) => {
    const name = path.slice(path.lastIndexOf('.') + 1);
    const struct = structAt(info.struct ?? info.kind, path);
    const near = struct === undefined ? undefined : nearestField(struct, name);
    const problem = at(document, path, { severity: 'error', source: 'apiserver', message: `unknown field "${path}"${near === undefined ? '' : `: did you mean "${near}"?`}` });
    return near === undefined ? problem : withFix(problem, near, near, name);
  });
}

function causeProblem(document: ManifestDocument, cause: StatusCause): Problem {
  return at(document, cause.field ?? '', { severity: 'error', source: 'apiserver', message: `${cause.field ?? ''}: ${cause.message ?? ''}` });
}

/** The field that a decode error's text names: '... Go struct field Container.spec.containers.image of type string'. */
function pathIn(message: string): string {
  return /Go struct field \w+\.([\w.]+)/.exec(message)?.[1] ?? '';
}
