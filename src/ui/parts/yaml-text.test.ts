import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { yamlLines, yamlText } from './yaml-text.ts';

describe('YAML as kubectl prints it', () => {
  it('has keys in order and lists at the level of their key', () => {
    expect(yamlText({ spec: { containers: [{ name: 'a', args: ['-c', 'x: y'] }], empty: {}, none: [] }, kind: 'Pod' })).toBe(
      'kind: Pod\nspec:\n  containers:\n  - args:\n    - -c\n    - \'x: y\'\n    name: a\n  empty: {}\n  none: []',
    );
  });

  it('quotes what would be read as something else', () => {
    expect(yamlText({ a: '1', b: 'true', c: '', d: '2026-01-05T09:00:00Z', e: 'on', f: '10m', g: '*' })).toBe('a: "1"\nb: "true"\nc: ""\nd: "2026-01-05T09:00:00Z"\ne: "on"\nf: 10m\ng: \'*\'');
  });

  it('is read back as the same object', () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(fc.stringMatching(/^[a-z][a-zA-Z./-]{0,8}$/), tie('value'), { maxKeys: 3 })),
    })).value;
    const flat = (item: unknown): boolean => Array.isArray(item) && item.some((inner) => Array.isArray(inner));
    fc.assert(fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), value), (object) => {
      fc.pre(!JSON.stringify(object).includes('[[') && !Object.values(object).some(flat));
      expect(parse(yamlText(object), { version: '1.1' }) ?? {}).toEqual(object);
    }));
  });

  it('gives each line the path of what it shows', () => {
    expect(yamlLines({ a: { b: [1] } }).map((line) => line.path)).toEqual(['.a', '.a.b', '.a.b[0]']);
  });
});
