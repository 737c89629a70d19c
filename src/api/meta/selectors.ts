import { compareText } from '../../sim/plain.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../schema/types.ts';
import { goQuote } from './go-text.ts';
import { labelKeyProblems, labelValueProblems } from './names.ts';

export type Labels = Readonly<Record<string, string>>;

export type SelectorOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | 'gt' | 'lt';

export interface Requirement {
  key: string;
  operator: SelectorOperator;
  values: string[];
}

/** True if every key of the map has the same value there (a Service's or a ReplicationController's selector). */
export function containsLabels(labels: Labels | undefined, wanted: Labels | undefined): boolean {
  for (const key in wanted) if (labels?.[key] !== wanted[key]) return false;
  return true;
}

function expressionMatches({ key, operator, values = [] }: LabelSelectorRequirement, labels: Labels | undefined): boolean {
  const value = labels?.[key];
  switch (operator) {
    case 'In': return value !== undefined && values.includes(value);
    case 'NotIn': return value === undefined || !values.includes(value);
    case 'Exists': return value !== undefined;
    case 'DoesNotExist': return value === undefined;
    default: return false;
  }
}

/** A null selector matches nothing, an empty one everything. Upstream: metav1.LabelSelectorAsSelector. */
export function selectorMatches(selector: LabelSelector | null | undefined, labels: Labels | undefined): boolean {
  if (selector === null || selector === undefined) return false;
  return containsLabels(labels, selector.matchLabels) && (selector.matchExpressions ?? []).every((term) => expressionMatches(term, labels));
}

export const isEmptySelector = (selector: LabelSelector | undefined): boolean =>
  Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0;

/** 'a=b,c in (d,e),!f': what scale subresources and wide tables show. Upstream: metav1.FormatLabelSelector. */
export function formatLabelSelector(selector: LabelSelector | null | undefined): string {
  if (selector === null || selector === undefined) return '<none>';
  const operators: Record<string, SelectorOperator> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' };
  const requirements: Requirement[] = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({ key, operator: '=', values: [value] }));
  for (const { key, operator, values } of selector.matchExpressions ?? []) {
    const known = operators[operator];
    if (known === undefined) return '<error>';
    requirements.push({ key, operator: known, values: values ?? [] });
  }
  if (requirements.length === 0) return '<none>';
  return requirements.sort((a, b) => compareText(a.key, b.key)).map(formatRequirement).join(',');
}

function formatRequirement({ key, operator, values }: Requirement): string {
  const list = values.toSorted(compareText);
  switch (operator) {
    case 'in': return `${key} in (${list.join(',')})`;
    case 'notin': return `${key} notin (${list.join(',')})`;
    case 'exists': return key;
    case '!': return `!${key}`;
    case 'gt': return `${key}>${list[0] ?? ''}`;
    case 'lt': return `${key}<${list[0] ?? ''}`;
    default: return `${key}${operator}${list[0] ?? ''}`;
  }
}

/** Labels as 'a=1,b=2', sorted; '<none>' if there are none. */
export function formatLabels(labels: Labels | undefined): string {
  const keys = Object.keys(labels ?? {}).sort(compareText);
  return keys.length === 0 ? '<none>' : keys.map((key) => `${key}=${(labels as Labels)[key]}`).join(',');
}

export function requirementsMatch(requirements: readonly Requirement[], labels: Labels | undefined): boolean {
  return requirements.every(({ key, operator, values }) => {
    const value = labels?.[key];
    switch (operator) {
      case '=': case '==': case 'in': return value !== undefined && values.includes(value);
      case '!=': case 'notin': return value === undefined || !values.includes(value);
      case 'exists': return value !== undefined;
      case '!': return value === undefined;
      case 'gt': return value !== undefined && /^[+-]?\d+$/.test(value) && Number(value) > Number(values[0]);
      case 'lt': return value !== undefined && /^[+-]?\d+$/.test(value) && Number(value) < Number(values[0]);
    }
  });
}

interface Token {
  kind: 'word' | 'symbol' | 'end';
  text: string;
}

function tokens(text: string): Token[] {
  const list: Token[] = [];
  for (const match of text.matchAll(/\s+|==|!=|[=!<>(),]|[^\s=!<>(),]+/g)) {
    if (/^\s/.test(match[0])) continue;
    list.push({ kind: /^[=!<>(),]/.test(match[0]) ? 'symbol' : 'word', text: match[0] });
  }
  list.push({ kind: 'end', text: '' });
  return list;
}

/** The requirements of a -l text, or the error as the server words it. Upstream: apimachinery pkg/labels/selector.go parser. */
export function parseSelector(text: string): Requirement[] | { error: string } {
  const list = tokens(text);
  const requirements: Requirement[] = [];
  let at = 0;
  const peek = () => list[at] as Token;
  const take = () => list[at++] as Token;
  const found = (token: Token) => goText(token.text);
  if (peek().kind === 'end') return requirements;
  for (;;) {
    const negated = peek().text === '!';
    if (negated) take();
    const keyToken = take();
    if (keyToken.kind !== 'word') return { error: `found '${found(keyToken)}', expected: identifier` };
    const key = keyToken.text;
    const bad = labelKeyProblems(key);
    if (bad.length > 0) return { error: `key: Invalid value: ${goQuote(key)}: ${bad.join('; ')}` };
    const next = peek();
    if (negated) requirements.push({ key, operator: '!', values: [] });
    else if (next.kind === 'end' || next.text === ',') requirements.push({ key, operator: 'exists', values: [] });
    else {
      const operator = take().text;
      const isSet = operator === 'in' || operator === 'notin';
      if (!isSet && !['=', '==', '!=', '>', '<'].includes(operator)) return { error: `found '${operator}', expected: in, notin, =, ==, !=, gt, lt` };
      const values = isSet ? parseSet(peek, take) : [peek().kind === 'word' ? take().text : ''];
      if (typeof values === 'string') return { error: values };
      const wrong = values.findIndex((value) => labelValueProblems(value).length > 0);
      if (wrong >= 0) return { error: `values[${wrong}][${key}]: Invalid value: ${goQuote(values[wrong] as string)}: ${labelValueProblems(values[wrong] as string).join('; ')}` };
      if ((operator === '>' || operator === '<') && !/^[+-]?\d+$/.test(values[0] as string)) {
        return { error: `values[0][${key}]: Invalid value: ${goQuote(values[0] as string)}: for 'Gt', 'Lt' operators, the value must be an integer` };
      }
      requirements.push({ key, operator: operator === '>' ? 'gt' : operator === '<' ? 'lt' : (operator as SelectorOperator), values });
    }
    const separator = take();
    if (separator.kind === 'end') return requirements.sort((a, b) => compareText(a.key, b.key));
    if (separator.text !== ',') return { error: `found '${found(separator)}', expected: ',' or 'end of string'` };
    if (peek().kind !== 'word' && peek().text !== '!') return { error: `found '${found(peek())}', expected: identifier after ','` };
  }
}

const goText = (text: string) => text;

function parseSet(peek: () => Token, take: () => Token): string[] | string {
  const open = take();
  if (open.text !== '(') return `found '${open.text}', expected: '('`;
  const values: string[] = [];
  for (;;) {
    const token = peek();
    if (token.kind === 'word') values.push(take().text);
    else if (token.text === ')' || token.text === ',') values.push('');
    else return `found '${token.text}', expected: ',', ')' or identifier`;
    const separator = take();
    if (separator.text === ')') return [...new Set(values)];
    if (separator.text !== ',') return `found '${separator.text}', expected: ',' or ')'`;
  }
}

export interface FieldRequirement {
  field: string;
  equal: boolean;
  value: string;
}

/** The terms of a --field-selector text. Upstream: apimachinery pkg/fields/selector.go ParseSelector. */
export function parseFieldSelector(text: string): FieldRequirement[] | { error: string } {
  const terms: FieldRequirement[] = [];
  for (const term of text.split(',')) {
    if (term === '') continue;
    const match = /^([^=!]*)(!=|==|=)(.*)$/s.exec(term);
    if (match === null) return { error: `invalid selector: '${text}'; can't understand '${term}'` };
    terms.push({ field: match[1] as string, equal: match[2] !== '!=', value: match[3] as string });
  }
  return terms;
}
