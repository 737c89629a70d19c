import { parseManifest } from '../../src/api/yaml.ts';
import { resourceOfKind, resources, type ApiObject, type ResourceInfo } from '../../src/api/resources.ts';
import { pathOf } from '../../src/kubectl/api.ts';
import type { RestResponse } from '../../src/kubectl/contract.ts';
import { parseScenario } from '../../src/scenarios/parse.ts';
import { Run } from '../../src/worker/history/run.ts';
import { count, difference, emptyResult, guarded, type AreaResult } from './expect.ts';

interface Http {
  code: number;
  status?: string;
  reason?: string;
  message?: string;
  details?: unknown;
  cut?: boolean;
  connectionClosed?: boolean;
}

interface CreationLine {
  id: string;
  input: string;
  http: Http;
  warnings: string[];
  object?: unknown;
}

/** A cluster that does nothing by itself: for questions to the API server alone. */
export function quietCluster(): Run {
  const run = new Run(parseScenario('title: quiet\nuntil: 0s\nnodes: []\nsteps: []\n'), [], 'recorded', false);
  return run;
}

/** What differs between a recorded HTTP answer and ours; undefined: nothing. */
function compareAnswer(http: Http, warnings: string[], object: unknown, answer: RestResponse): string | undefined {
  const body = answer.body as Http & Record<string, unknown>;
  if (http.code !== answer.code) return `code ${http.code}, ours ${answer.code}: ${http.message ?? ''} | ours: ${String(body?.message ?? '')}`;
  if (http.code >= 400) {
    if (http.cut === true) {
      const kept = (http.message ?? '').split(/<object>|\n|<n>/)[0] ?? '';
      const ours = body.message ?? '';
      return http.reason === body.reason && ours.startsWith(kept.replace(/<rand>.*$/s, '')) ? undefined : `message: ${http.message ?? ''} | ours: ${ours}`;
    }
    const { code: _, ...rest } = http;
    const found = difference(rest, { status: body.status, reason: body.reason, message: body.message, details: body.details });
    return found === undefined ? undefined : `${found}: ${http.message ?? ''} | ours: ${body.message ?? ''}`;
  }
  const found = object === undefined ? undefined : difference(object, withoutVersion(body));
  if (found !== undefined) return `object ${found}`;
  return difference(warnings, answer.warnings) === undefined ? undefined : `warnings: ${JSON.stringify(warnings)} | ours: ${JSON.stringify(answer.warnings)}`;
}

function withoutVersion(body: Record<string, unknown>): Record<string, unknown> {
  const { resourceVersion: _, ...metadata } = (body.metadata ?? {}) as Record<string, unknown>;
  return { ...body, metadata };
}

/** The collection a document goes to; one with a spoilt kind goes where it came from (the first part of its id). */
function resourceFor(id: string, value: unknown): ResourceInfo | undefined {
  const { apiVersion, kind } = (typeof value === 'object' && value !== null ? value : {}) as { apiVersion?: unknown; kind?: unknown };
  const named = resourceOfKind(String(apiVersion), String(kind));
  const home = resources.find((info) => info.kind.toLowerCase() === id.split('/')[0]?.toLowerCase());
  return home ?? named;
}

export function creation(area: string, lines: readonly CreationLine[]): AreaResult {
  const result = emptyResult(area);
  const { cluster } = quietCluster();
  for (const { id, input, http, warnings, object } of lines) {
    if (http.connectionClosed === true) continue;
    const value = parseManifest(input)[0]?.value;
    const info = resourceFor(id, value);
    if (info === undefined) {
      count(result, id, 'kind is not known');
      continue;
    }
    count(result, id, guarded(() => compareAnswer(http, warnings, object, cluster.outside({
      method: 'POST', path: pathOf(info, 'default'), query: { dryRun: 'All', fieldValidation: 'Strict' }, headers: { 'Content-Type': 'application/json' }, body: value,
    }))));
  }
  return result;
}

interface UpdateLine {
  id: string;
  base: string;
  patch: unknown[];
  http: Http;
  warnings: string[];
  generation?: [number, number];
}

export function updates(lines: readonly UpdateLine[], bases: readonly { id: string; object: ApiObject }[]): AreaResult {
  const result = emptyResult('updates');
  const byId = new Map(bases.map((base) => [base.id, base.object]));
  const { cluster } = quietCluster();
  const stored = new Map<string, ApiObject>();
  for (const { id, base, patch, http, warnings } of lines) {
    const object = byId.get(base);
    const info = object === undefined ? undefined : resourceOfKind(object.apiVersion, object.kind);
    if (object === undefined || info === undefined) {
      count(result, id, `no base ${base}`);
      continue;
    }
    if (!stored.has(base)) {
      stored.set(base, object);
      cluster.store.put(info.resource, concrete(object), { at: 0, cause: 0, actor: 'boot' });
    }
    count(result, id, guarded(() => compareAnswer(http, warnings, undefined, cluster.outside({
      method: 'PATCH', path: pathOf(info, object.metadata.namespace ?? '', object.metadata.name), query: { dryRun: 'All', fieldValidation: 'Strict' },
      headers: { 'Content-Type': 'application/json-patch+json' }, body: patch,
    }))));
  }
  return result;
}

/** Placeholders of a stored object made concrete. */
function concrete(object: ApiObject): ApiObject {
  const text = JSON.stringify(object)
    .replaceAll('<uid>', '11111111-1111-4111-8111-111111111111').replaceAll('<time>', '2026-01-05T08:00:00Z').replaceAll('<rv>', '1')
    .replaceAll('<ip>', '10.96.10.10').replaceAll('"<nodePort>"', '30080').replaceAll('<rand>', 'abcde');
  return JSON.parse(text) as ApiObject;
}

interface SequenceLine {
  id: string;
  namespace: string;
  steps: { request: { method: string; path: string; body?: unknown; contentType?: string; accept?: string }; answer: Record<string, unknown> }[];
}

/** Requests in a row. A sequence agrees when each answer does; watches and waits are left out of the comparison. */
export function sequences(lines: readonly SequenceLine[]): AreaResult {
  const result = emptyResult('sequences');
  for (const line of lines) {
    const run = quietCluster();
    const { cluster } = run;
    const ask = (method: string, path: string, body?: unknown, contentType?: string, accept?: string) => {
      const [place = '', query = ''] = path.split('?');
      return cluster.outside({
        method: method as 'GET', path: place, query: Object.fromEntries(query.split('&').filter(Boolean).map((pair) => pair.split('=').map(decodeURIComponent) as [string, string])),
        headers: { Accept: accept ?? 'application/json', ...(contentType === undefined ? { 'Content-Type': 'application/json' } : { 'Content-Type': contentType }) }, ...(body === undefined ? {} : { body }),
      });
    };
    ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: line.namespace } });
    run.runTo(run.now + 200);
    count(result, line.id, guarded(() => firstWrongStep(line, run, ask)));
  }
  return result;
}

function firstWrongStep(line: SequenceLine, run: Run, ask: (method: string, path: string, body?: unknown, contentType?: string, accept?: string) => RestResponse): string | undefined {
  const answers: RestResponse[] = [];
  const fill = (text: string) => text
    .replaceAll('{ns}', line.namespace)
    .replace(/\{\{(\d+)\.([^}]+)\}\}/g, (_, index: string, path: string) => String(path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], answers[Number(index)]?.body)));
  for (const [index, { request, answer }] of line.steps.entries()) {
    if (request.method === 'WAIT') {
      run.runTo(run.now + Number(request.path));
      answers.push({ code: 0, headers: {}, body: {}, warnings: [] });
      continue;
    }
    if (['COMPACT', 'WATCH-START', 'WATCH-END'].includes(request.method) || /[?&]watch=/.test(request.path)) {
      answers.push({ code: 0, headers: {}, body: {}, warnings: [] });
      continue;
    }
    const body = request.body === undefined ? undefined : (JSON.parse(fill(JSON.stringify(request.body))) as unknown);
    const ours = ask(request.method, fill(request.path), body, request.contentType, request.accept);
    answers.push(ours);
    run.runTo(run.now + 150);
    if (ours.code !== answer.code) return `step ${index} ${request.method} ${request.path}: code ${String(answer.code)}, ours ${ours.code} ${String((ours.body as Http)?.message ?? '')}`;
    const found = difference(answer.body ?? answer.text, ours.body);
    if (found !== undefined) return `step ${index} ${request.method} ${request.path}: ${found}`;
  }
  return undefined;
}

