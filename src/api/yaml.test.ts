import { describe, expect, it } from 'vitest';
import { parseManifest, parseYaml } from './yaml.ts';
import { printYaml } from './yaml/print.ts';

const pod = (...lines: string[]): string => ['apiVersion: v1', 'kind: Pod', ...lines, ''].join('\n');
const problemOf = (text: string) => parseManifest(text).flatMap((document) => document.problems)[0];

describe('what kubectl says of a text that is no YAML', () => {
  it.each([
    ['a tab before a key', pod('metadata:', '\tname: a'), 'yaml: line 4: found character that cannot start any token', [4, 1]],
    ['a tab after an item', pod('spec:', '  containers:', '  - name: c', '\timage: x'), 'yaml: line 6: found a tab character that violates indentation', [6, 1]],
    ['a second colon', pod('note: sure: yes'), 'yaml: line 3: mapping values are not allowed in this context', [3, 11]],
    ['a key without a colon', pod('metadata:', '  name: a', '  labels'), "yaml: line 6: could not find expected ':'", [5, 3]],
    ['a shallower line in a block scalar', pod('data:', '  k: |', '    a', '   b'), 'yaml: line 5: did not find expected key', [6, 4]],
    ['an open quote', pod('args: ["a, b]'), 'yaml: line 4: found unexpected end of stream', [3, 8]],
    ['a quote within quotes', pod("args: ['it's']"), "yaml: line 2: did not find expected ',' or ']'", [3, 12]],
    ['a backtick', pod('image: `x`'), 'yaml: line 3: found character that cannot start any token', [3, 8]],
    ['an unknown alias', pod('metadata: *m'), "yaml: unknown anchor 'm' referenced", [3, 11]],
    ['an unrendered template', pod('metadata: {{ .Values.m }}'), 'yaml: invalid map key: map[interface {}]interface {}{".Values.m":interface {}(nil)}', [3, 12]],
    ['a directive of YAML 1.2', '%YAML 1.2\n---\na: 1\n', 'yaml: found incompatible YAML document', [1, 1]],
    ['a control character', 'a: b\0\n', 'yaml: control characters are not allowed', [1, 5]],
    ['text after a separator', 'a: 1\n--- b\n', 'invalid Yaml document separator: b', [2, 1]],
  ])('%s', (_, text, message, place) => {
    const problem = problemOf(text);
    expect(problem?.message).toBe(message);
    expect([problem?.line, problem?.column]).toEqual(place);
  });

  it('counts the lines of a message from the document, those of the place from the text', () => {
    expect(problemOf('a: 1\n---\nb: 2\nc: d: e\n')).toMatchObject({ message: 'yaml: line 2: mapping values are not allowed in this context', line: 4, column: 5 });
  });

  it('reads on after a document that is broken', () => {
    expect(parseManifest('a: b: c\n---\nd: 1\n').map(({ value }) => value)).toEqual([undefined, { d: 1 }]);
  });
});

describe('values', () => {
  it.each([
    ['yes', true], ['Y', true], ['off', false], ['"on"', 'on'], ['~', null], ['NULL', null], ['', null], ['tRue', 'tRue'], ['0644', 420], ['0o644', 420], ['08', 8], ['0x1F', 31], ['0b11', 3], ['1_000', 1000], ['+1', 1], ['.5', 0.5],
    ['1e3', 1000], ['1.10', 1.1], ['12:30:45', '12:30:45'], ['2024-01-01', '2024-01-01'], ['=', '='], ['nginx#v1', 'nginx#v1'], ['a # b', 'a'], ['!!str 1', '1'], ["'it''s'", "it's"], ['"\\u00e9\\t\\\n  b"', 'é\tb'], ['a\n  b\n\n  c', 'a b\nc'],
  ])('%s is %j', (text, value) => {
    expect(parseYaml(`k: ${text}\n`)).toEqual({ k: value });
  });

  it('keeps of keys given twice the last, and puts merged maps first', () => {
    expect(parseYaml('a: 1\na: 2\n')).toEqual({ a: 2 });
    expect(parseYaml('- &b {x: 1, z: 1}\n- <<: *b\n  z: 2\n')).toEqual([{ x: 1, z: 1 }, { x: 1, z: 2 }]);
    expect(parseYaml('y: 1\n')).toEqual({ true: 1 });
  });

  it('has literal and folded scalars with their endings', () => {
    expect(parseYaml('a: |\n  x\n   y\n\n  z\n\nb: >-\n  x\n  y\n\n  z\nc: |+\n  x\n\n')).toEqual({ a: 'x\n y\n\nz\n', b: 'x y\nz', c: 'x\n\n' });
  });

  it('takes JSON, flow style with a comma too many, byte order marks and empty documents', () => {
    expect(parseYaml('{"a": [1, "b", null]}')).toEqual({ a: [1, 'b', null] });
    expect(parseYaml('# KYAML\n{\n  a: "v1",\n  b: {c: 1,},\n}\n')).toEqual({ a: 'v1', b: { c: 1 } });
    expect(parseManifest('---\n---\n\uFEFFa: 1\r\n---\n# x\n---\n').map(({ value }) => value ?? null)).toEqual([null, { a: 1 }, null]);
  });
});

describe('where a field stands', () => {
  const [document] = parseManifest(pod('metadata:', '  labels:', '    app.kubernetes.io/name: x', 'spec:', '  containers:', '  - name: c', '    image: nginx', '    args: [a, "b"]'));
  it.each([
    ['spec.containers[0].image', 9, 5, 10],
    ['metadata.labels[app.kubernetes.io/name]', 5, 5, 27],
    ['metadata.labels.app.kubernetes.io/name', 5, 5, 27],
    ['spec.containers[0].args[1]', 10, 15, 18],
    ['spec.containers[0].ports[0].name', 8, 5, 9],
    ['spec.nodeName', 6, 1, 5],
  ])('%s is at line %d', (path, line, column, endColumn) => {
    expect(document?.locate(path)).toEqual({ line, column, endLine: line, endColumn });
  });

  it('gives the value alone when asked', () => {
    expect(document?.locate('spec.containers[0].image', 'value')).toEqual({ line: 9, column: 12, endLine: 9, endColumn: 17 });
    expect(document?.locate('missing')).toBeUndefined();
  });
});

describe('printing', () => {
  it('quotes what would read as something else, and nothing more', () => {
    const texts = ['yes', '0644', '1:30', '', 'null', '2026-01-05T09:00:00Z', 'a: b', "it's", 'a #b', '*', '- x', 'x:', '8080', 'a,b', '10.0.0.1', 'tab\t', '部署', '🚀'];
    expect(printYaml(texts)).toBe(`${['"yes"', '"0644"', '"1:30"', '""', '"null"', '"2026-01-05T09:00:00Z"', "'a: b'", "it's", "'a #b'", "'*'", "'- x'", "'x:'", '"8080"', 'a,b', '10.0.0.1', '"tab\\t"', '部署', '"\\U0001F680"'].map((text) => `- ${text}`).join('\n')}\n`);
  });

  it('prints lists no deeper than their key, empty ones inline, texts of several lines as blocks', () => {
    expect(printYaml({ items: [{ b: [], a: { c: 'x\ny\n' } }], 10: 1, 9: null, skipped: undefined })).toBe('"9": null\n"10": 1\nitems:\n- a:\n    c: |\n      x\n      y\n  b: []\n');
  });

  it('breaks lines after 80 columns', () => {
    expect(printYaml({ message: `0/3 nodes are available: ${'word '.repeat(14)}end of it: x` })).toBe(`message: '0/3 nodes are available: ${'word '.repeat(9)}word\n  word word word word end of it: x'\n`);
  });

  it('is read back as it was', () => {
    const value = { a: ['x ', ' x', 'x\n\n', '\n', 'y', '~', '---', '?', '%a', '@b', '# c', "'", '"', '\\', 'a\u00a0b'], k: { 'n: m': { 'o#p': [[1, [2.5]], {}] } } };
    expect(parseYaml(printYaml(value))).toEqual(value);
  });
});
