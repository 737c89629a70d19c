import { describe, expect, it } from 'vitest';
import { catalog } from '../../scenarios/catalog.ts';
import { parseScenario } from '../../scenarios/parse.ts';
import { replaceRange } from './editor.ts';
import { fileNameFor, manifestsOf } from './scenario.ts';

describe('files of the editor', () => {
  it('are named after what is in them', () => {
    expect(fileNameFor('apiVersion: v1\nkind: Service\nmetadata:\n  labels: {a: b}\n  name: web\n')).toBe('svc-web.yaml');
    expect(fileNameFor('apiVersion: v1\nkind: Pod\nmetadata:\n  name: "shop"\n')).toBe('shop.yaml');
    expect(fileNameFor('{}')).toBe('manifest.yaml');
  });

  it('are the manifests that a scenario applies, each once, each with a name of its own', () => {
    const pod = (image: string) => `kind: Pod\nmetadata:\n  name: web\nspec:\n  image: ${image}\n`;
    const step = (stdin: string) => ({ atMs: 0, kubectl: 'apply -f -', stdin });
    const files = manifestsOf({ steps: [step(pod('a')), step(pod('b')), step(pod('a')), { atMs: 1, kubectl: 'delete pod web' }, { atMs: 2, kubectl: 'apply -f x.yaml', files: { 'x.yaml': 'kind: Pod\n' } }] });
    expect(files.map((file) => file.name)).toEqual(['web.yaml', 'web-2.yaml', 'x.yaml']);
  });

  it('exist for every example', async () => {
    for (const entry of catalog) expect(manifestsOf(parseScenario(await entry.load())).length, entry.id).toBeGreaterThan(0);
  });

  it('take a fix at its place', () => {
    expect(replaceRange('a: 1\nimag: x\nb: 2', { title: '', line: 2, column: 1, endLine: 2, endColumn: 5, text: 'image' })).toBe('a: 1\nimage: x\nb: 2');
    expect(replaceRange('a: 1', { title: '', line: 9, column: 1, endLine: 9, endColumn: 1, text: '!' })).toBe('a: 1!');
  });
});
