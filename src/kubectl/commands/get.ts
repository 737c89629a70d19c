import { resourceInfo, type ApiObject, type ResourceInfo } from '../../api/resources.ts';
import { ask, pathOf } from '../api.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { Failure, isFailure, plainError, statusError } from '../failure.ts';
import { flag, parseArguments, type FlagTable, type ParsedArguments } from '../flags.ts';
import { allFormats, printingOf, typed } from '../output/printers.ts';
import { sortBy } from '../output/sort.ts';
import { renderTable, tableStyle, type Table } from '../output/table.ts';
import type { Command, Printer } from '../registry.ts';
import { listOf, resourceList, selectionOf, targetsOf } from '../targets.ts';
import { withNamespace } from '../manifests.ts';
import { fileFlags } from '../report.ts';
import { scaleTable } from './scale-table.ts';
import { startWatch, watchOn, type WatchState } from './watch.ts';

export const getFlags: FlagTable = {
  ...fileFlags, selector: flag.text('l'), 'field-selector': flag.text(), 'all-namespaces': flag.bool('A'), 'show-labels': flag.bool(), 'no-headers': flag.bool(), 'sort-by': flag.text(),
  'ignore-not-found': flag.bool(), watch: flag.bool('w'), 'watch-only': flag.bool(), 'output-watch-events': flag.bool(), 'show-kind': flag.bool(), 'chunk-size': flag.int(),
  'label-columns': flag.list('L'), raw: flag.text(), subresource: flag.text(), 'server-print': flag.bool(),
};

const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

const noResource = `You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.

error: Required resource not specified.
Use "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).
See 'kubectl get -h' for help and examples
`;

/** kubectl get: tables made by the server, objects in all formats, and watches. Upstream: k8s.io/kubectl/pkg/cmd/get. */
export const get: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, getFlags, 'kubectl get');
    const place = withNamespace(environment, parsed);
    const raw = parsed.text('raw');
    if (raw !== undefined) return rawRequest(raw, place, out);
    if (parsed.words.length === 0 && !parsed.has('filename')) throw new Failure(noResource);
    if (parsed.words[0]?.split(',').includes('ev')) out.stderr += 'Warning: short name "ev" could also match lower priority resource events.events.k8s.io\n';
    const questions = questionsOf(parsed, place);
    if (parsed.bool('watch') || parsed.bool('watch-only')) return startWatch(args, questions.filter((question): question is Question => !(question instanceof Failure)), parsed, place, out);
    if (printingOf(parsed.text('output'), false, allFormats) === undefined) return printTables(questions, parsed, place, out);
    return printObjects(questions, parsed, place, out);
  },
  resume(state, environment, out) {
    const { args } = state as WatchState;
    const parsed = parseArguments(args, getFlags, 'kubectl get');
    return watchOn(state as WatchState, parsed, withNamespace(environment, parsed), out);
  },
};

function rawRequest(path: string, { client }: KubectlEnvironment, out: Printer): void {
  const [plain = '', query = ''] = path.split('?');
  const pairs = query.split('&').filter(Boolean).map((pair) => pair.split('=').map(decodeURIComponent) as [string, string]);
  const response = ask(client, 'GET', plain, { query: Object.fromEntries(pairs), accept: '*/*' });
  if (isFailure(response)) throw typeof response.body === 'string' ? new Failure(`Error from server (NotFound): the server could not find the requested resource\n`) : statusError(response);
  out.stdout += typeof response.body === 'string' ? response.body : `${JSON.stringify(response.body)}\n`;
}

/** A list, or one object, to ask for. */
export interface Question {
  info: ResourceInfo;
  namespace: string;
  name?: string;
}

function questionsOf(parsed: ParsedArguments, environment: KubectlEnvironment): (Question | Failure)[] {
  const named = parsed.has('filename') || parsed.words.some((word) => word.includes('/')) || parsed.words.length > 1;
  if (named) {
    return targetsOf(parsed.words, parsed, environment).map((target) => (target instanceof Failure ? target : { info: target.info, namespace: target.namespace, name: target.name }));
  }
  return resourceList(parsed.words[0] as string).map((info) => ({ info, namespace: info.namespaced && !parsed.bool('all-namespaces') ? environment.namespace : '' }));
}

/** Asks one question. Throws what kubectl prints when it is refused; undefined for what may be missing. */
export function answerTo({ info, namespace, name }: Question, parsed: ParsedArguments, place: KubectlEnvironment, accept: string): unknown {
  const query: Record<string, string> = parsed.has('sort-by') ? { includeObject: 'Object' } : {};
  if (name === undefined) return listOf(place, info, selectionOf(parsed), accept, query);
  const subresource = parsed.text('subresource');
  const response = ask(place.client, 'GET', pathOf(info, namespace, name, subresource), { query, accept: subresource === 'scale' ? 'application/json' : accept });
  if (response.code === 404 && parsed.bool('ignore-not-found')) return undefined;
  if (isFailure(response)) throw statusError(response);
  return subresource === 'scale' && accept === tableType ? scaleTable(response.body, place.client.epochMs) : response.body;
}

/** Answers to all questions; failures are gathered and thrown by `end`. */
function collect(questions: readonly (Question | Failure)[], parsed: ParsedArguments, place: KubectlEnvironment, accept: string) {
  const answers: { question: Question; body: unknown }[] = [];
  let failures = '';
  for (const question of questions) {
    try {
      if (question instanceof Failure) throw question;
      const body = answerTo(question, parsed, place, accept);
      if (body !== undefined) answers.push({ question, body });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures += error.text;
    }
  }
  return {
    answers,
    failed: failures !== '',
    end: () => {
      if (failures !== '') throw new Failure(failures);
    },
  };
}

function printObjects(questions: readonly (Question | Failure)[], parsed: ParsedArguments, place: KubectlEnvironment, out: Printer): undefined {
  const { answers, failed, end } = collect(questions, parsed, place, 'application/json');
  const found = answers.flatMap(({ question: { info, name }, body }) => (name === undefined ? (body as { items: ApiObject[] }).items : [body as ApiObject]).map((object) => ({
    info, object: name !== undefined && parsed.has('subresource') ? object : typed(info, object),
  })));
  const sorted = sortBy(found, parsed.text('sort-by'), ({ object }) => object);
  const output = parsed.text('output') as string;
  const print = printingOf(output, parsed.bool('show-managed-fields'), allFormats);
  if (print === undefined) throw plainError(`no printer for ${output}`);
  const single = answers.length === 1 && !failed && answers[0]?.question.name !== undefined;
  const [only] = sorted;
  if (output === 'name' || output.startsWith('custom-columns')) out.stdout += sorted.map(({ info, object }) => print(info, object)).join('');
  else if (single && only !== undefined) out.stdout += print(only.info, only.object);
  else if (sorted.length > 0 || (!failed && questions.length > 0 && !(parsed.bool('ignore-not-found') && answers.length === 0))) {
    const list = { apiVersion: 'v1', kind: 'List', items: sorted.map(({ object }) => object), metadata: { resourceVersion: '' } };
    out.stdout += print(questionInfo(questions), list);
  }
  end();
  return undefined;
}

const questionInfo = (questions: readonly (Question | Failure)[]): ResourceInfo => (questions.find((question) => !(question instanceof Failure)) as Question | undefined)?.info ?? resourceInfo('pods');

export const severalKinds = (questions: readonly (Question | Failure)[]): boolean => new Set(questions.map((question) => (question instanceof Failure ? '' : question.info.resource)).filter(Boolean)).size > 1;

function printTables(questions: readonly (Question | Failure)[], parsed: ParsedArguments, place: KubectlEnvironment, out: Printer): undefined {
  const { answers, failed, end } = collect(questions, parsed, place, tableType);
  // Neighbouring objects of one kind share a table.
  const tables: { info: ResourceInfo; table: Table }[] = [];
  for (const { question: { info }, body } of answers) {
    const last = tables.at(-1);
    if (last?.info === info) last.table.rows.push(...(body as Table).rows);
    else tables.push({ info, table: { ...(body as Table), rows: [...(body as Table).rows] } });
  }
  const style = tableStyle(parsed, severalKinds(questions));
  const filled = tables.filter(({ table }) => table.rows.length > 0);
  out.stdout += filled.map(({ info, table }) => renderTable(info, table, style)).join('\n');
  if (filled.length === 0 && !failed && !parsed.bool('ignore-not-found')) {
    const scoped = answers.some(({ question }) => question.info.namespaced) && !parsed.bool('all-namespaces');
    out.stderr += scoped ? `No resources found in ${place.namespace} namespace.\n` : 'No resources found\n';
  }
  end();
  return undefined;
}

export { tableType };
