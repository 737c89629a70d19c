import fc from 'fast-check';
import { deflateSync, strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { Input } from '../scenarios/schema.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';
import { readFile, writeFile } from './file.ts';
import { decodedLimitBytes, decodeLink, encodeLink, isLink, ShareError, type SharedState } from './link.ts';

const time = fc.integer({ min: 0, max: 1e9 });
const input: fc.Arbitrary<Input> = fc.oneof(
  fc.record({ at: time, kind: fc.constant('apply' as const), text: fc.string({ unit: 'binary' }) }),
  fc.record({ at: time, kind: fc.constant('kubectl' as const), line: fc.string() }),
  fc.record({ at: time, kind: fc.constant('fault' as const), fault: fc.constant({ node: 'node-a', network: 'down' as const }) }),
);
const state: fc.Arbitrary<SharedState> = fc.record({
  scenario: fc.string({ unit: 'grapheme', minLength: 1 }), seed: fc.maxSafeInteger(), inputs: fc.array(input), cursor: time,
  view: fc.constantFrom<SharedState['view']>({}, { lane: 'pod/a-b', language: 'zh', theme: 'light', speed: 5 }, { example: '01-first-pod' }),
});

const code = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return error instanceof ShareError ? error.code : String(error);
  }
  return 'no error';
};

const small: SharedState = { scenario: 'title: x\n', seed: 7, inputs: [], cursor: 1200, view: { language: 'en' } };

describe('a link', () => {
  it('gives back any state exactly, and always the same text for it', () => {
    fc.assert(fc.property(state, (value) => {
      const link = encodeLink(value);
      expect(isLink(link)).toBe(true);
      expect(link).toMatch(/^#v1\.[\w-]+$/);
      expect(decodeLink(link)).toEqual(value);
      expect(encodeLink(decodeLink(link))).toBe(link);
    }));
  });

  it('says that it was cut, wherever it was cut', () => {
    const link = encodeLink(small);
    for (let length = 5; length < link.length; length += 1) expect(code(() => decodeLink(link.slice(0, length)))).toBe('damaged');
  });

  it('says that one letter is wrong', () => {
    const link = encodeLink(small);
    for (let at = 4; at < link.length - 1; at += 1) {
      const other = link[at] === 'A' ? 'B' : 'A';
      expect(['damaged', 'incomplete']).toContain(code(() => decodeLink(link.slice(0, at) + other + link.slice(at + 1))));
    }
  });

  it('refuses other versions, other fragments and more than a megabyte', () => {
    expect(code(() => decodeLink('#v9.AAAA'))).toBe('unknown-version');
    expect(code(() => decodeLink('#hello'))).toBe('not-a-link');
    const bomb = deflateSync(strToU8('0'.repeat(decodedLimitBytes * 4)));
    expect(code(() => decodeLink(`#v1.${toBase64Url(bomb)}`))).toBe('too-large');
  });

  it('stays short for a typical scenario', () => {
    const scenario = 'title: web\nsteps:\n  - at: 0s\n    kubectl: apply -f -\n    stdin: |\n      apiVersion: v1\n      kind: Pod\n      metadata:\n        name: web\n';
    expect(encodeLink({ ...small, scenario }).length).toBeLessThan(800);
  });
});

describe('a file', () => {
  it('gives back any state exactly', () => {
    fc.assert(fc.property(state, (value) => {
      expect(readFile(writeFile(value))).toEqual(value);
    }));
  });

  it('names what is missing', () => {
    expect(() => readFile('{"kubelapse":1,"seed":1}')).toThrow('incomplete: scenario');
    expect(() => readFile('{"kubelapse":1,"scenario":"x","seed":1,"inputs":[{"at":0,"kind":"rm"}]}')).toThrow('incomplete: inputs[0].kind');
    expect(code(() => readFile('{"kubelapse":2}'))).toBe('unknown-version');
    expect(code(() => readFile('{}'))).toBe('not-a-link');
  });
});

it('base64url gives back any bytes', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => {
    expect([...fromBase64Url(toBase64Url(bytes))]).toEqual([...bytes]);
  }));
});
