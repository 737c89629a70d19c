import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { parseScenario } from '../scenarios/parse.ts';
import { Talk } from './api.ts';
import { main } from './kubelapse.ts';
import { loadScenario, readOptions, UsageError } from './options.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubelapse-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command line; what it printed. */
async function kubelapse(...args: string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  const complain = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  try {
    return { code: await main(args), text };
  } finally {
    write.mockRestore();
    complain.mockRestore();
  }
}

describe('kubelapse run', () => {
  it('prints the film, the same in steps of any size', async () => {
    const whole = await kubelapse('run', '03-crash-loop', '--until', '40s');
    expect(whole.code).toBe(0);
    expect(whole.text).toMatch(/^A crash loop \(seed 7\)\n/);
    expect(whole.text).toContain('CrashLoopBackOff 0/1');
    for (const step of ['700ms', '1s', '1m']) expect(await kubelapse('run', '03-crash-loop', '--until=40s', '--step', step)).toEqual(whole);
    expect((await kubelapse('run', '03-crash-loop', '--until', '40s', '--seed', '8')).text).not.toBe(whole.text.replace('seed 7', 'seed 8'));
  });

  it('leaves a recording as the recorder does: a folder, or one file', async () => {
    await kubelapse('run', '06-readiness-path', '--quiet', '--record', join(folder, 'one'));
    await kubelapse('run', '06-readiness-path', '--quiet', '--step', '1s', '--record', join(folder, 'two'));
    await kubelapse('run', '06-readiness-path', '--quiet', '--record', join(folder, 'three.jsonl'));
    const read = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');
    expect(readdirSync(join(folder, 'one')).sort((a, b) => (a < b ? -1 : 1))).toEqual(['final.txt', 'recording.jsonl', 'steps.jsonl', 'table.jsonl']);
    for (const name of readdirSync(join(folder, 'one'))) expect(read('two', name)).toBe(read('one', name));
    expect(read('three.jsonl')).toBe(read('one', 'recording.jsonl'));
    const lines = read('three.jsonl').trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({ version: 1, id: '06-readiness-path', endedAt: 90_000 });
    expect(lines.slice(1).every((line) => typeof line.at === 'number' && /^(ADDED|MODIFIED|DELETED)$/.test(String(line.type)))).toBe(true);
    expect(read('one', 'final.txt')).toMatch(/^\$ kubectl get pods -o wide\nNAME /);
  });

  it('says what is wrong with its arguments', async () => {
    for (const args of [['run'], ['run', 'none'], ['run', '03-crash-loop', '--untill', '3s'], ['run', '03-crash-loop', '--until', 'soon'], ['frobnicate']]) {
      const { code, text } = await kubelapse(...args);
      expect([args, code === 0, text.length > 10]).toEqual([args, false, true]);
    }
    expect(() => readOptions(['--a'], ['a'])).toThrow(UsageError);
    expect(() => loadScenario('none')).toThrow('no such scenario: none');
  });
});

describe('kubelapse api', () => {
  const talk = () => new Talk(parseScenario('title: api\nuntil: 0s\nsteps: []\n', 'api'));

  it('keeps one cluster over the lines', () => {
    const line = talk();
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'app', image: 'nginx:1.25' }] } };
    expect(line.answer({ method: 'POST', path: '/api/v1/namespaces/default/pods?dryRun=All', body: pod })).toMatchObject({ code: 201 });
    expect(line.answer({ method: 'GET', path: '/api/v1/namespaces/default/pods/a' })).toMatchObject({ code: 404 });
    expect(line.answer({ method: 'POST', path: '/api/v1/namespaces/default/pods', body: pod })).toMatchObject({ code: 201, body: { status: { phase: 'Pending' } } });
    expect(line.answer({ advance: '5s' })).toEqual({ at: 5050 });
    expect(line.answer({ method: 'GET', path: '/api/v1/namespaces/default/pods/a' })).toMatchObject({ code: 200, body: { status: { phase: 'Running' } } });
    expect(line.answer({ kubectl: 'kubectl get pod a -o name' })).toEqual({ stdout: 'pod/a\n', stderr: '', exit: 0 });
    expect(line.answer({ kubectl: 'apply -f p.yaml', files: { 'p.yaml': JSON.stringify({ ...pod, metadata: { name: 'b' } }) } })).toMatchObject({ stdout: 'pod/b created\n' });
    expect(line.answer({ reset: true })).toEqual({});
    expect(line.answer({ kubectl: 'get pods' })).toMatchObject({ stderr: 'No resources found in default namespace.\n' });
    expect(line.answer({ advance: 'soon' })).toEqual({ error: 'not a duration: soon' });
    expect(line.answer({})).toHaveProperty('error');
  });

  it('holds loaded objects still', () => {
    const line = talk();
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-05T08:00:00Z' }, spec: { containers: [{ name: 'app', image: 'x' }] }, status: { phase: 'Pending' } };
    expect(line.answer({ load: { objects: [object], now: '2026-01-05T09:30:00Z' }, frozen: true })).toEqual({});
    expect(line.answer({ kubectl: 'get pods' })).toMatchObject({ stdout: 'NAME   READY   STATUS    RESTARTS   AGE\na      0/1     Pending   0          90m\n' });
  });
});
