import { describe, expect, it } from 'vitest';
import { meta, pod, stage } from '../testing/stage.ts';
import { parseTemplate, runTemplate } from './jsonpath.ts';

const pods = { items: [{ metadata: { name: 'a', labels: { 'app.kubernetes.io/name': 'x' } }, n: 1 }, { metadata: { name: 'b' }, n: 2, on: 'node-b' }] };
const path = (text: string) => runTemplate(parseTemplate(text), pods);

describe('JSONPath (K-23)', () => {
  it('finds fields, elements, slices and what passes a filter', () => {
    expect(path('{.items[*].metadata.name}')).toBe('a b');
    expect(path('{.items[-1:].metadata.name} {.items[0].n}')).toBe('b 1');
    expect(path('{.items[?(@.on=="node-b")].metadata.name}{.items[?(@.n>1)].n}')).toBe('b2');
    expect(path('{.items[?(@.on)].n}')).toBe('2');
    expect(path("{.items[0].metadata.labels['app\\.kubernetes\\.io/name']}{.items[0].metadata.labels.app\\.kubernetes\\.io/name}")).toBe('xx');
    expect(path("{..name} {.items[0,1].n} {['items'][0].n}")).toBe('a b 1 2 1');
  });

  it('repeats what stands between range and end', () => {
    expect(path('{range .items[*]}{.metadata.name}{"\\t"}{.n}{"\\n"}{end}')).toBe('a\t1\nb\t2\n');
  });

  it('prints maps and lists as JSON, nothing for a missing key, an error for a missing element', () => {
    expect(path('{.items[1].metadata}{.nope}')).toBe('{"name":"b"}');
    expect(() => path('{.items[9]}')).toThrow('array index out of bounds: index 9, length 2');
    expect(() => path('{.items')).toThrow('unclosed action');
  });
});

describe('formats', () => {
  const twoPods = () => stage().put(pod('web-10', { spec: { priority: 5 } })).put(pod('web-9', { metadata: { labels: { tier: 'back' } } }));

  it('lays out custom columns (K-24)', () => {
    expect(twoPods().run('get pods -o custom-columns=NAME:.metadata.name,TIER:metadata.labels.tier').stdout).toBe('NAME     TIER\nweb-10   <none>\nweb-9    back\n');
    expect(twoPods().run('get pods -o custom-columns=NAME').stderr).toBe('error: unexpected custom-columns spec: NAME, expected <header>:<json-path-expr>\n');
  });

  it('sorts texts by the numbers in them (K-26)', () => {
    expect(twoPods().run('get pods --sort-by=.metadata.name -o name').stdout).toBe('pod/web-9\npod/web-10\n');
    expect(twoPods().run('get pods --sort-by=.nope').stderr).toBe('error: couldn\'t find any field with path "{.nope}" in the list of objects\n');
  });

  it('adds columns of labels', () => {
    expect(twoPods().run('get pods -L tier --no-headers').stdout).toMatch(/web-9 .* back\n$/);
  });

  it("cuts a table's cells at the end of a line (K-20)", () => {
    const event = { apiVersion: 'v1', kind: 'Event', metadata: meta('e'), involvedObject: { kind: 'Pod', name: 'a', namespace: 'default' }, message: 'one\ntwo', reason: 'R', type: 'Normal', source: {}, lastTimestamp: '2026-01-05T08:59:00Z' };
    expect(stage().put(event).run('get events').stdout).toMatch(/pod\/a +one\.\.\.\n$/);
  });

  it('knows which formats it has not (K-25)', () => {
    expect(twoPods().run('get pods -o go-template=x').stderr).toContain('-o go-template is not simulated');
    expect(twoPods().run('get pods -o odd').stderr).toContain('unable to match a printer suitable for the output format "odd", allowed formats are: custom-columns,');
  });
});
