import { expect, it } from 'vitest';
import { formatLabelSelector, parseFieldSelector, parseSelector, requirementsMatch, selectorMatches } from './selectors.ts';

const matches = (text: string, labels: Record<string, string>): boolean => {
  const parsed = parseSelector(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return requirementsMatch(parsed, labels);
};

it.each([
  ['app=web', { app: 'web' }, true], ['app==web,tier!=x', { app: 'web' }, true], ['app in (a, web)', { app: 'web' }, true], ['app notin (web)', { app: 'web' }, false], ['app notin (web)', {}, true], ['app', { app: '' }, true], ['!app', { app: '' }, false],
  ['n>1', { n: '2' }, true], ['n<1', { n: '2' }, false], ['', { app: 'x' }, true], ['example.com/a=b', { 'example.com/a': 'b' }, true],
])('%s of %j: %s', (text, labels, expected) => {
  expect(matches(text, labels as Record<string, string>)).toBe(expected);
});

it.each(['app in', 'app in (a', '=x', 'a=b=c', 'app,,b'])('refuses %j', (text) => {
  expect(parseSelector(text)).toHaveProperty('error');
});

it('matches what a LabelSelector asks for; an empty one all, none nothing', () => {
  const selector = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }, { key: 'old', operator: 'DoesNotExist' }] };
  expect(selectorMatches(selector, { app: 'web', tier: 'a' })).toBe(true);
  expect(selectorMatches(selector, { app: 'web', tier: 'a', old: '' })).toBe(false);
  expect(selectorMatches({}, {})).toBe(true);
  expect(selectorMatches(undefined, {})).toBe(false);
  expect(formatLabelSelector(selector)).toBe('app=web,!old,tier in (a,b)');
});

it('reads field selectors', () => {
  expect(parseFieldSelector('status.phase=Running,spec.nodeName!=a')).toMatchObject([{ value: 'Running' }, { value: 'a' }]);
});
