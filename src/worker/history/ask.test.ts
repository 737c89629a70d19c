import { describe, expect, it } from 'vitest';
import type { Answers, Question } from '../protocol.ts';
import { answer } from './ask.ts';
import { TestSession } from './testing/whole-film.ts';

const scenario = `title: test
steps:
  - at: 0s
    kubectl: apply -f -
    stdin: |
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        terminationGracePeriodSeconds: 2
        containers: [{ name: app, image: "busybox:1.36", command: [sh, -c, "for i in 1 2 3; do echo line $i; sleep 4; done; sleep 3600"] }]
  - { at: 20s, kubectl: delete pod web }
until: 40s
`;

type Asked = Omit<Extract<Question, { about: 'kubectl' }>, 'about'>;
const test = () => new TestSession({ scenario }).runTo(40_000);
const kubectl = (session: TestSession, asked: Asked): Answers['kubectl'] => answer<'kubectl'>(session.session, { about: 'kubectl', ...asked });

describe('a command that waits', () => {
  it('is answered as far as it had come, and goes on with the playhead', () => {
    const film = test();
    const wait = { line: 'wait --for=delete pod/web', at: 10_000 };
    expect(kubectl(film, wait)).toEqual({ stdout: '', stderr: '', exit: 0, waiting: true });
    expect(kubectl(film, { ...wait, until: 15_000 })).toMatchObject({ stdout: '', waiting: true });
    expect(kubectl(film, { ...wait, until: 40_000 })).toEqual({ stdout: 'pod/web condition met\n', stderr: '', exit: 0 });
  });

  it('prints the same in one stretch and in many', () => {
    const film = test();
    const follow = { line: 'logs -f web', at: 3000 };
    const outputs = [3000, 4000, 7000, 7500, 12_000, 19_000].map((until) => kubectl(film, { ...follow, until }).stdout);
    for (const [index, output] of outputs.entries()) expect(output.startsWith(outputs[index - 1] ?? '')).toBe(true);
    expect(outputs.at(-1)).toBe('line 1\nline 2\nline 3\n');
    expect(kubectl(test(), { ...follow, until: 19_000 }).stdout).toBe('line 1\nline 2\nline 3\n');
    expect(kubectl(film, { ...follow, until: 5000 }).stdout).toBe('line 1\n');
  });

  it('watches, and the film stays as it is', () => {
    const film = test();
    const { stdout } = kubectl(film, { line: 'get pod web -w', at: 19_000, until: 30_000 });
    expect(stdout.split('\n').map((line) => line.replace(/ +/g, ' ').split(' ').slice(1, 3).join(' '))).toEqual(expect.arrayContaining(['1/1 Running', '1/1 Terminating', '0/1 Error']));
    expect(film.lines()).toEqual(test().lines());
  });

  it('reads the files and the input that it is given', () => {
    const text = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\n';
    expect(kubectl(test(), { line: 'get -f web.yaml -o name', at: 10_000, files: { 'web.yaml': text } }).stdout).toBe('pod/web\n');
    expect(kubectl(test(), { line: 'get -f - -o name', at: 10_000, stdin: text }).stdout).toBe('pod/web\n');
  });
});
