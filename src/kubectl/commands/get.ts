import { apiVersionOf, type ApiObject, type ResourceInfo } from '../../api/resources.ts';
import { stringify } from 'yaml';
import { ask, pathOf, printedName } from '../api.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { Failure, isFailure, plainError, statusError } from '../failure.ts';
import { flag, parseArguments, type FlagTable, type ParsedArguments } from '../flags.ts';
import type { Command, Printer } from '../registry.ts';
import { renderColumns } from '../table.ts';
import { resourceList, targetsOf } from '../targets.ts';
import { fileFlags, withNamespace } from './apply.ts';

const flags: FlagTable = {
  ...fileFlags, selector: flag.text('l'), 'field-selector': flag.text(), 'all-namespaces': flag.bool('A'), 'show-labels': flag.bool(), 'no-headers': flag.bool(), 'sort-by': flag.text(),
  'ignore-not-found': flag.bool(), watch: flag.bool('w'), 'show-kind': flag.bool(), 'chunk-size': flag.text(), all: flag.bool(),
};

const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

const noResource = `You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.

error: Required resource not specified.
Use "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).
See 'kubectl get -h' for help and examples
`;

interface Table {
  columnDefinitions: { name: string; priority: number }[];
  rows: { cells: (string | number | boolean)[]; object: ApiObject }[];
}

/** What one question (a list, or one object) is answered with. */
interface Found {
  info: ResourceInfo;
  table: Table;
}

/** kubectl get: tables made by the server, and -o yaml, json, name, wide. */
export const get: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, flags, 'kubectl get');
    const place = withNamespace(environment, parsed);
    if (parsed.bool('watch')) throw plainError('kubectl get --watch is not simulated here: the timeline is the watch');
    if (parsed.words.length === 0 && !parsed.has('filename')) throw new Failure(noResource);
    const output = parsed.text('output') ?? '';
    if (output === 'yaml' || output === 'json' || output === 'name') return printObjects(output, parsed, place, out);
    if (output !== '' && output !== 'wide') throw plainError(`-o ${output} is not simulated: use wide, yaml, json or name`);
    printTables(parsed, place, out, output === 'wide');
    return undefined;
  },
};

interface Question {
  info: ResourceInfo;
  namespace: string;
  name?: string;
}

function questionsOf(parsed: ParsedArguments, environment: KubectlEnvironment): Question[] {
  const named = parsed.has('filename') || parsed.words.some((word) => word.includes('/')) || parsed.words.length > 1;
  if (named) {
    return targetsOf(parsed.words, parsed, environment).map((target) => {
      if (target instanceof Failure) throw target;
      return { info: target.info, namespace: target.namespace, name: target.name };
    });
  }
  const everywhere = parsed.bool('all-namespaces');
  return resourceList(parsed.words[0] as string).map((info) => ({ info, namespace: info.namespaced && !everywhere ? environment.namespace : '' }));
}

function find(parsed: ParsedArguments, environment: KubectlEnvironment, accept: string, take: (question: Question, body: unknown) => void): void {
  let failures = '';
  for (const question of questionsOf(parsed, environment)) {
    const query: Record<string, string> = {};
    const selector = parsed.text('selector');
    const fields = parsed.text('field-selector');
    if (question.name === undefined && selector !== undefined) query.labelSelector = selector;
    if (question.name === undefined && fields !== undefined) query.fieldSelector = fields;
    const response = ask(environment.client, 'GET', pathOf(question.info, question.namespace, question.name), { query, accept });
    if (response.code === 404 && parsed.bool('ignore-not-found')) continue;
    if (isFailure(response)) failures += statusError(response).text;
    else take(question, response.body);
  }
  if (failures !== '') throw new Failure(failures);
}

function printObjects(output: string, parsed: ParsedArguments, environment: KubectlEnvironment, out: Printer): undefined {
  const objects: { info: ResourceInfo; object: ApiObject }[] = [];
  let single = false;
  find(parsed, environment, 'application/json', ({ info, name }, body) => {
    single = name !== undefined;
    const items = name === undefined ? (body as { items: ApiObject[] }).items : [body as ApiObject];
    objects.push(...items.map((object) => ({ info, object: { ...object, apiVersion: apiVersionOf(info), kind: info.kind } })));
  });
  const clean = ({ object }: { object: ApiObject }) => {
    const { managedFields: _, ...metadata } = object.metadata;
    return sorted({ ...object, metadata });
  };
  if (output === 'name') {
    out.stdout += objects.map(({ info, object }) => `${printedName(info, object.metadata.name)}\n`).join('');
    return undefined;
  }
  const value = single && objects.length === 1 ? clean(objects[0] as { object: ApiObject }) : { apiVersion: 'v1', items: objects.map(clean), kind: 'List', metadata: { resourceVersion: '' } };
  out.stdout += output === 'json' ? `${JSON.stringify(value, null, 4)}\n` : stringify(value, { lineWidth: 0, version: '1.1', indentSeq: false });
  return undefined;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]));
}

function printTables(parsed: ParsedArguments, environment: KubectlEnvironment, out: Printer, wide: boolean): void {
  const found: Found[] = [];
  const several = (parsed.words[0] ?? '').includes(',') || parsed.words[0] === 'all' || parsed.words.some((word) => word.includes('/')) || parsed.bool('show-kind');
  let failure: Failure | undefined;
  try {
    find(parsed, environment, tableType, ({ info }, body) => {
      const known = found.find((other) => other.info === info);
      if (known === undefined) found.push({ info, table: body as Table });
      else known.table.rows.push(...(body as Table).rows);
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failure = error;
  }
  const filled = found.filter(({ table }) => table.rows.length > 0);
  out.stdout += filled.map((one) => renderTable(one, parsed, wide, several)).join('\n');
  if (failure !== undefined) throw failure;
  if (filled.length === 0 && !parsed.bool('ignore-not-found')) {
    const scoped = found.some(({ info }) => info.namespaced) && !parsed.bool('all-namespaces');
    out.stderr += scoped ? `No resources found in ${environment.namespace} namespace.\n` : 'No resources found\n';
  }
}

function renderTable({ info, table }: Found, parsed: ParsedArguments, wide: boolean, several: boolean): string {
  const everywhere = parsed.bool('all-namespaces') && info.namespaced;
  const labels = parsed.bool('show-labels');
  const shown = table.columnDefinitions.map((column, index) => ({ ...column, index })).filter((column) => wide || column.priority === 0);
  const head = [...(everywhere ? ['NAMESPACE'] : []), ...shown.map((column) => column.name.toUpperCase()), ...(labels ? ['LABELS'] : [])];
  const rows = sortRows(table.rows, parsed.text('sort-by')).map((row) => [
    ...(everywhere ? [row.object.metadata.namespace ?? ''] : []),
    ...shown.map((column) => `${several && column.index === 0 ? `${info.singular}${info.group === '' ? '' : `.${info.group}`}/` : ''}${String(row.cells[column.index] ?? '')}`),
    ...(labels ? [labelText(row.object)] : []),
  ]);
  return renderColumns(parsed.bool('no-headers') ? rows : [head, ...rows]);
}

const labelText = (object: ApiObject): string => {
  const labels = Object.entries(object.metadata.labels ?? {});
  return labels.length === 0 ? '<none>' : labels.map(([key, value]) => `${key}=${value}`).join(',');
};

function sortRows(rows: Table['rows'], by: string | undefined): Table['rows'] {
  if (by === undefined) return rows;
  const path = by.replace(/[{}]/g, '').split('.').filter(Boolean);
  const valueOf = (row: Table['rows'][number]): unknown => path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], row.object);
  return [...rows].sort((a, b) => {
    const [left, right] = [valueOf(a) ?? '', valueOf(b) ?? ''];
    if (typeof left === 'number' && typeof right === 'number') return left - right;
    return String(left) < String(right) ? -1 : String(left) > String(right) ? 1 : 0;
  });
}
