import { goJson, goQuote } from '../../api/meta/go-text.ts';
import { compareText } from '../../sim/plain.ts';
import { sortedDeep } from './sorted.ts';

/** kubectl's JSONPath templates. Upstream: k8s.io/client-go/util/jsonpath. Simplified: identifiers other than range and end are refused. */

type Step =
  | { kind: 'field'; name: string }
  | { kind: 'wild' }
  | { kind: 'deep' }
  | { kind: 'slice'; from: number | undefined; to: number | undefined; by: number; exact: boolean }
  | { kind: 'filter'; left: Step[]; operator: string; right: Step[] | { value: unknown } }
  | { kind: 'union'; parts: Step[][] };

type Node =
  | { kind: 'text'; text: string }
  | { kind: 'path'; steps: Step[] }
  | { kind: 'value'; value: unknown }
  | { kind: 'range'; steps: Step[]; body: Node[] };

export type Template = readonly Node[];

/** A template that cannot be read or run: its text, without 'error: '. */
export class TemplateFault extends Error {}

export function parseTemplate(text: string): Template {
  return new Parser(text).nodes(false);
}

/** '.a.b', 'a.b' and '{.a.b}' all name a field. Upstream: get/customcolumn.go RelaxedJSONPathExpression. */
export function parseRelaxed(text: string): Template {
  const match = /^\{?\.?([^{}]*)\}?$/.exec(text);
  if (match === null) throw new TemplateFault(`unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`);
  return parseTemplate(`{.${match[1] ?? ''}}`);
}

class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  nodes(inRange: boolean): Node[] {
    const nodes: Node[] = [];
    while (this.at < this.text.length) {
      const open = this.text.indexOf('{', this.at);
      const end = open < 0 ? this.text.length : open;
      if (end > this.at) nodes.push({ kind: 'text', text: this.text.slice(this.at, end) });
      this.at = end;
      if (open >= 0 && this.action(nodes)) {
        if (inRange) return nodes;
        throw new TemplateFault('not in range, nothing to end');
      }
    }
    if (inRange) throw new TemplateFault('unclosed range');
    return nodes;
  }

  /** One {…}; true for {end}. */
  private action(nodes: Node[]): boolean {
    this.at++;
    for (;;) {
      this.blanks();
      const char = this.text[this.at];
      if (char === undefined) throw new TemplateFault('unclosed action');
      if (char === '}') {
        this.at++;
        return false;
      }
      const word = /^(range|end)(?=[\s}])/.exec(this.text.slice(this.at))?.[0];
      if (word === 'end') {
        this.at = this.text.indexOf('}', this.at) + 1;
        return true;
      }
      if (word === 'range') {
        this.at += 5;
        this.blanks();
        const steps = this.steps();
        this.blanks();
        if (this.text[this.at++] !== '}') throw new TemplateFault('unclosed action');
        nodes.push({ kind: 'range', steps, body: this.nodes(true) });
        return false;
      }
      nodes.push(this.operand());
    }
  }

  private blanks(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
  }

  private operand(): Node {
    const rest = this.text.slice(this.at);
    const quoted = /^("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/s.exec(rest)?.[0];
    if (quoted !== undefined) {
      this.at += quoted.length;
      return { kind: 'value', value: unescaped(quoted.slice(1, -1)) };
    }
    if (/^["']/.test(rest)) throw new TemplateFault('unterminated quoted string');
    const number = /^[+-]?\d+(\.\d+)?/.exec(rest)?.[0];
    if (number !== undefined) {
      this.at += number.length;
      return { kind: 'value', value: Number(number) };
    }
    if (/^[$@.[*]/.test(rest)) return { kind: 'path', steps: this.steps() };
    const word = /^\w+/.exec(rest)?.[0];
    if (word === 'true' || word === 'false') {
      this.at += word.length;
      return { kind: 'value', value: word === 'true' };
    }
    throw new TemplateFault(word === undefined ? `unrecognized character in action: U+${(rest.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} '${rest[0] ?? ''}'` : `unrecognized identifier ${word}`);
  }

  private steps(): Step[] {
    const steps: Step[] = [];
    if (/[$@]/.test(this.text[this.at] ?? '')) this.at++;
    for (;;) {
      const rest = this.text.slice(this.at);
      if (rest.startsWith('..')) {
        this.at += 1;
        steps.push({ kind: 'deep' });
      } else if (rest.startsWith('[')) {
        steps.push(this.bracket());
      } else if (rest.startsWith('.*')) {
        this.at += 2;
        steps.push({ kind: 'wild' });
      } else {
        const field = /^\.((?:\\.|[^\s.[\](){}'"@$,<>=!*\\])*)/s.exec(rest);
        if (field === null) return steps;
        this.at += field[0].length;
        if (field[1] !== '') steps.push({ kind: 'field', name: (field[1] as string).replace(/\\(.)/gs, '$1') });
      }
    }
  }

  private bracket(): Step {
    const start = this.at + 1;
    let depth = 0;
    let quote = '';
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at] as string;
      if (quote !== '') {
        if (char === '\\') this.at++;
        else if (char === quote) quote = '';
      } else if (char === '"' || char === "'") quote = char;
      else if (char === '[') depth++;
      else if (char === ']' && --depth === 0) break;
    }
    if (this.at >= this.text.length) throw new TemplateFault('unterminated array');
    const inside = this.text.slice(start, this.at++).trim();
    return bracketStep(inside);
  }
}

function bracketStep(inside: string): Step {
  if (inside === '*') return { kind: 'wild' };
  const slice = /^(-?\d*)(:(-?\d*))?(:(-?\d*))?$/.exec(inside);
  if (slice !== null && inside !== '') {
    const number = (text: string | undefined) => (text === undefined || text === '' ? undefined : Number(text));
    return { kind: 'slice', from: number(slice[1]), to: number(slice[3]), by: number(slice[5]) ?? 1, exact: slice[2] === undefined };
  }
  const filter = /^\?\s*\((.*)\)$/s.exec(inside)?.[1];
  if (filter !== undefined) return filterStep(filter.trim());
  const name = /^'((?:[^'\\]|\\.)*)'$|^"((?:[^"\\]|\\.)*)"$/s.exec(inside);
  if (name !== null) return { kind: 'field', name: unescaped(name[1] ?? name[2] ?? '') };
  if (inside.includes(',')) return { kind: 'union', parts: inside.split(',').map((part) => [bracketStep(part.trim())]) };
  throw new TemplateFault(`invalid array index ${inside}`);
}

function filterStep(text: string): Step {
  const match = /^(.*?)\s*(==|!=|<=|>=|<|>)\s*(.*)$/s.exec(text);
  const side = (part: string): Step[] | { value: unknown } => {
    const [node] = new Parser(`{${part}}`).nodes(false);
    if (node?.kind === 'path') return node.steps;
    if (node?.kind === 'value') return { value: node.value };
    throw new TemplateFault('unterminated filter');
  };
  const left = side(match?.[1] ?? text);
  if (!Array.isArray(left)) throw new TemplateFault('unsupported filter');
  return { kind: 'filter', left, operator: match?.[2] ?? 'exists', right: match === null ? { value: null } : side(match[3] as string) };
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const unescaped = (text: string): string => text.replace(/\\(.)/gs, (_, char: string) => escapes[char] ?? char);

type Plain = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value);

function take(values: readonly unknown[], step: Step): unknown[] {
  return values.flatMap((value): unknown[] => {
    switch (step.kind) {
      case 'field': return isMap(value) && value[step.name] !== undefined ? [value[step.name]] : [];
      case 'wild': return Array.isArray(value) ? value : isMap(value) ? sortedKeys(value).map((key) => value[key]) : [];
      case 'deep': return descendants(value);
      case 'slice': return sliced(value, step);
      case 'union': return step.parts.flatMap((part) => walk([value], part));
      case 'filter': return (Array.isArray(value) ? value : []).filter((item) => passes(item, step));
    }
  });
}

const sortedKeys = (map: Plain): string[] => Object.keys(map).sort(compareText);
const walk = (values: readonly unknown[], steps: readonly Step[]): unknown[] => steps.reduce<unknown[]>(take, [...values]);

function descendants(value: unknown): unknown[] {
  const children = Array.isArray(value) ? value : isMap(value) ? sortedKeys(value).map((key) => value[key]) : [];
  return [value, ...children.flatMap(descendants)];
}

function sliced(value: unknown, { from, to, by, exact }: Extract<Step, { kind: 'slice' }>): unknown[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw new TemplateFault(`${isMap(value) ? 'map' : String(value)} is not array or slice`);
  const place = (index: number) => (index < 0 ? index + value.length : index);
  const start = place(from ?? 0);
  if (exact) {
    if (start < 0 || start >= value.length) throw new TemplateFault(`array index out of bounds: index ${from ?? 0}, length ${value.length}`);
    return [value[start]];
  }
  const result: unknown[] = [];
  for (let i = Math.max(0, start); i < Math.min(value.length, place(to ?? value.length)) && by > 0; i += by) result.push(value[i]);
  return result;
}

function passes(item: unknown, { left, operator, right }: Extract<Step, { kind: 'filter' }>): boolean {
  const [a, more] = walk([item], left);
  if (operator === 'exists') return a !== undefined;
  if (more !== undefined) throw new TemplateFault('can only compare one element at a time');
  const [b] = Array.isArray(right) ? walk([item], right) : [right.value];
  if (a === undefined || b === undefined) return false;
  const [x, y] = typeof a === 'number' && typeof b === 'number' ? [a, b] : [String(a), String(b)];
  switch (operator) {
    case '==': return x === y;
    case '!=': return x !== y;
    case '<': return x < y;
    case '<=': return x <= y;
    case '>': return x > y;
    default: return x >= y;
  }
}

/** The values that the template's paths find, text left out. */
export const findValues = (template: Template, data: unknown): unknown[] =>
  template.flatMap((node) => (node.kind === 'path' ? walk([data], node.steps) : []));

export const valueText = (value: unknown): string => (typeof value === 'string' ? value : value === null || value === undefined ? '' : goJson(sortedDeep(value)));

export function runTemplate(template: Template, data: unknown): string {
  return template.map((node) => {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'value') return valueText(node.value);
    if (node.kind === 'range') return walk([data], node.steps).map((item) => runTemplate(node.body, item)).join('');
    return walk([data], node.steps).map(valueText).join(' ');
  }).join('');
}

/** As Go's %#v shows decoded JSON. */
export function goSyntax(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (isMap(value)) return `map[string]interface {}{${sortedKeys(value).map((key) => `${goQuote(key)}:${goSyntax(value[key])}`).join(', ')}}`;
  return typeof value === 'string' ? goQuote(value) : value === null ? 'interface {}(nil)' : String(value);
}
