import type { Problem } from './problem.ts';
import { YamlFault } from './yaml/fault.ts';
import { parseNodes, type YamlNode } from './yaml/nodes.ts';
import { toValue } from './yaml/values.ts';

export interface Place {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export interface ManifestDocument {
  /** As JSON: what kubectl sends. undefined when it cannot be read or is empty. */
  value: unknown;
  problems: Problem[];
  /** Where 'spec.containers[0].image' or 'metadata.labels[app]' stands, or its nearest ancestor that exists: its key, or its value alone. */
  locate(fieldPath: string, part?: 'key' | 'value'): Place | undefined;
}

/**
 * A manifest of one or more YAML documents, or JSON, as kubectl reads it: YAML 1.1, keys given twice count the last time.
 * Lines in messages count from the document's beginning, as upstream's do; the problems' places from the text's.
 * Simplified: JSON is read as the YAML that it is, also where its errors are concerned; one object a document.
 */
export function parseManifest(text: string): ManifestDocument[] {
  const place = placesIn(text);
  return splitDocuments(text).map(({ from, to }) => readDocument(text.slice(from, to), (start, end) => place(from + start, from + end)));
}

/** The first document's value. Throws an Error that says what is wrong. */
export function parseYaml(text: string): unknown {
  const node = parseNodes(withEnd(text));
  return node === undefined ? undefined : toValue(node);
}

/** A last line ends like the others. */
const withEnd = (text: string): string => text.endsWith('\n') ? text : `${text}\n`;

type Locate = (from: number, to: number) => Place;

function readDocument(text: string, place: Locate): ManifestDocument {
  const problem = (message: string, from: number, to: number): Problem => ({ severity: 'error', source: 'yaml', message, ...place(from, to) });
  const failed = (found: Problem): ManifestDocument => ({ value: undefined, problems: [found], locate: () => undefined });
  const separator = /^---[ \t]*([^\s#].*)/.exec(text)?.[1];
  if (separator !== undefined) return failed(problem(`invalid Yaml document separator: ${separator.trim()}`, 0, 3 + separator.length));
  const control = /[^\t\n\r -~\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(text);
  if (control !== null) return failed(problem('yaml: control characters are not allowed', control.index, control.index + 1));
  try {
    const root = parseNodes(withEnd(text));
    if (root === undefined) return { value: undefined, problems: [], locate: () => undefined };
    return { value: toValue(root), problems: [], locate: (path, part = 'key') => locate(root, path, part, place) };
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    const found = problem(error.text, error.pos, error.end);
    const glued = /^[\w./-]+:(?=[^\s/])/.exec(text.slice(error.pos, error.end))?.[0];
    if (glued === undefined || !error.message.startsWith('could not find')) return failed(found);
    const { line, column } = place(error.pos + glued.length, error.pos + glued.length);
    return failed({ ...found, fix: { title: 'Insert a space after the colon', line, column, endLine: line, endColumn: column, text: ' ' } });
  }
}

/** Documents end at lines of '---'. A first such line belongs to the document that follows it. Upstream: apimachinery/pkg/util/yaml YAMLReader. */
function splitDocuments(text: string): { from: number; to: number }[] {
  const documents: { from: number; to: number }[] = [];
  let from = 0;
  for (let line = 0; line < text.length;) {
    const next = text.indexOf('\n', line) + 1 || text.length;
    if (text.startsWith('---', line)) {
      const bad = /^---[ \t]*[^\s#]/.test(text.slice(line, next));
      if (line > from || bad) documents.push({ from, to: line });
      if (bad) documents.push({ from: line, to: next });
      if (line > from || bad) from = next;
    }
    line = next;
  }
  if (from < text.length || documents.length === 0) documents.push({ from, to: text.length });
  return documents;
}

function placesIn(text: string): Locate {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const point = (offset: number): [number, number] => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return [low + 1, offset - (starts[low] as number) + 1];
  };
  return (from, to) => {
    const [line, column] = point(Math.min(from, text.length));
    const [endLine, endColumn] = point(Math.min(Math.max(to, from + 1), Math.max(text.length, from + 1)));
    return { line, column, endLine, endColumn };
  };
}

function locate(root: YamlNode, fieldPath: string, part: 'key' | 'value', place: Locate): Place | undefined {
  let node = root;
  let found: YamlNode | undefined;
  let rest = fieldPath.replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  while (rest !== '') {
    const target = node.alias ?? node;
    const step = target.kind === 'list' ? itemAt(target, rest) : target.kind === 'map' ? pairAt(target, rest) : undefined;
    if (step === undefined) break;
    found = part === 'value' && step.node.to > step.node.from ? step.node : step.key;
    [node, rest] = [step.node, step.rest];
  }
  if (found === undefined) return undefined;
  const shown = head(found);
  return place(shown.from, shown.to);
}

/** A collection is shown by the key it begins with. */
function head(node: YamlNode): YamlNode {
  const first = node.alias === undefined ? (node.pairs[0]?.key ?? node.items[0]) : undefined;
  return first === undefined ? node : head(first);
}

interface Step {
  key: YamlNode;
  node: YamlNode;
  rest: string;
}

function itemAt(list: YamlNode, path: string): Step | undefined {
  const parts = /^\[(\d+)\]\.?(.*)$/s.exec(path);
  const node = parts === null ? undefined : list.items[Number(parts[1])];
  return node === undefined ? undefined : { key: node, node, rest: parts?.[2] ?? '' };
}

/** Keys may have dots in them: of those that the path goes on with, the longest. */
function pairAt(map: YamlNode, path: string): Step | undefined {
  let best: Step | undefined;
  let length = -1;
  for (const { key, value } of map.pairs) {
    const name = key.value;
    if (key.kind !== 'scalar' || name.length < length) continue;
    const bracketed = path.startsWith(`[${name}]`);
    if (!bracketed && !(path.startsWith(name) && /^(?:$|[.[])/.test(path.slice(name.length)))) continue;
    const rest = path.slice(name.length + (bracketed ? 2 : 0)).replace(/^\./, '');
    best = { key, node: value, rest };
    length = name.length;
  }
  return best;
}
