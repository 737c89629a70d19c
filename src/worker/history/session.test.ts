import { describe, expect, it } from 'vitest';
import type { Input } from '../../scenarios/schema.ts';
import type { Question } from '../protocol.ts';
import { answer } from './ask.ts';
import { TestSession } from './testing/whole-film.ts';

const scenario = `title: test
steps:
  - at: 0s
    kubectl: apply -f -
    stdin: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: 2
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers:
              - { name: app, image: nginx:1.25, readinessProbe: { httpGet: { path: /, port: 80 }, periodSeconds: 3 } }
  - at: 5s
    kubectl: apply -f -
    stdin: |
      apiVersion: v1
      kind: Pod
      metadata: { generateName: loop-, labels: { app: loop } }
      spec:
        containers: [{ name: app, image: "busybox:1.36", command: [sh, -c, "echo hello; date; sleep 3; exit 1"] }]
  - { at: 12s, kubectl: scale deployment web --replicas=3 }
until: 60s
`.replace('apply -f -\n    stdin: |\n      apiVersion: v1', 'create -f -\n    stdin: |\n      apiVersion: v1');

const kubectl = (at: number, line: string): Input => ({ at, kind: 'kubectl', line });
const pod = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec:\n  containers: [{ name: app, image: "nginx:1.25" }]\n`;
const apply = (at: number, name: string): Input => ({ at, kind: 'apply', text: pod(name), name });

function podNames(test: TestSession, at = test.session.run.now): string[] {
  return answer<'objects'>(test.session, { about: 'objects', resource: 'pods', at }).objects.map((object) => object.metadata.name);
}

describe('a session', () => {
  it('shows the same film whatever the slices in which it is told', () => {
    const whole = new TestSession({ scenario }).runTo(60_000, Infinity).lines();
    expect(new TestSession({ scenario }).runTo(60_000, 1).lines()).toEqual(whole);
    const stepped = new TestSession({ scenario });
    for (let at = 0; at <= 60_000; at += 700) stepped.runTo(at, 13);
    expect(stepped.runTo(60_000).lines()).toEqual(whole);
    expect(whole.length).toBeGreaterThan(80);
  });

  it('plays a link as it was seen live', () => {
    const live = new TestSession({ scenario }).runTo(8000);
    live.session.input(apply(8000, 'a'));
    live.runTo(20_500);
    live.session.input(kubectl(20_500, 'delete pod a --wait=false'));
    live.session.input(kubectl(20_500, 'get pods'));
    live.runTo(30_000);
    live.session.input({ at: 30_000, kind: 'fault', fault: { node: 'node-a', network: 'down' } });
    live.runTo(60_000);
    const link = new TestSession({ scenario, inputs: live.session.branch.inputs }).runTo(60_000, Infinity);
    expect(live.session.branch.id).toBe(0);
    expect(link.lines()).toEqual(live.lines());
  });

  it('plays a link as it was seen live after acts in the past', () => {
    const live = new TestSession({ scenario }).runTo(50_000);
    live.session.input(apply(10_000, 'a'));
    live.runTo(40_000);
    live.session.input(apply(25_000, 'b'));
    live.runTo(45_000);
    live.session.input(kubectl(5000, 'scale deployment web --replicas=1'));
    live.runTo(60_000);
    const { branch } = live.session;
    expect(branch).toMatchObject({ id: 1, forkedFrom: 0, forkAt: 5000, inputs: [kubectl(5000, 'scale deployment web --replicas=1')] });
    expect(new TestSession({ scenario, inputs: branch.inputs }).runTo(60_000).lines()).toEqual(live.lines());
  });

  it('makes a branch only where later acts of the user would be lost', () => {
    const test = new TestSession({ scenario }).runTo(40_000);
    expect(test.session.input(apply(20_000, 'a'))).toBe(0);
    expect(test.session.input(apply(20_000, 'b'))).toBe(0);
    expect(test.session.input(apply(30_000, 'c'))).toBe(0);
    expect(test.session.input(apply(29_999, 'd'))).toBe(1);
    expect(test.session.branch.inputs.map((input) => input.at)).toEqual([20_000, 20_000, 29_999]);
    test.runTo(40_000);
    expect(podNames(test)).toEqual(expect.arrayContaining(['a', 'b', 'd']));
    expect(podNames(test)).not.toContain('c');
  });

  it('keeps the scripted steps that come after an act in the past', () => {
    const test = new TestSession({ scenario }).runTo(40_000);
    test.session.input(kubectl(3000, 'get pods'));
    test.runTo(40_000);
    expect(podNames(test).filter((name) => name.startsWith('web-'))).toHaveLength(3);
  });

  it('goes back to a branch as it was', () => {
    const test = new TestSession({ scenario }).runTo(20_000);
    test.session.input(apply(20_000, 'a'));
    const main = test.runTo(40_000).lines();
    test.session.input(apply(10_000, 'b'));
    test.runTo(40_000);
    expect(podNames(test)).not.toContain('a');
    test.session.switchBranch(0);
    expect(test.runTo(40_000).lines()).toEqual(main);
    test.session.switchBranch(7);
    expect(test.session.branch.id).toBe(0);
  });

  it('says what a command printed, and that one which waits is still running', () => {
    const test = new TestSession({ scenario }).runTo(20_000);
    const say = (line: string) => {
      const { session } = test;
      const id = session.commandCount(session.run.now);
      session.input(kubectl(session.run.now, line));
      return session.settleCommand(id);
    };
    expect(say('get deployment web -o name')).toEqual({ stdout: 'deployment.apps/web\n', stderr: '', exit: 0 });
    expect(say('get nothing')).toMatchObject({ stdout: '', exit: 1 });
    expect(say('delete deployment web --cascade=foreground')).toMatchObject({ stdout: 'deployment.apps "web" deleted from default namespace\n' });
    test.runTo(60_000);
    expect(test.session.run.cluster.userState.commands.at(-1)).toMatchObject({ exit: 0 });
  });
});

describe('questions', () => {
  const moments = [400, 1500, 5600, 9000, 12_500, 17_000, 31_000, 44_000];

  function questionsAt(test: TestSession, at: number): Question[] {
    const uids = test.session.run.cluster.store.list('pods', undefined, test.session.run.cluster.store.revisionAt(at)).map(({ metadata }) => metadata.uid);
    return [
      { about: 'object', resource: 'deployments.apps', namespace: 'default', name: 'web', at },
      { about: 'objects', resource: 'pods', at },
      { about: 'objects', resource: 'events', namespace: 'default', at },
      ...['get pods -o wide', 'get all', 'get events', 'get pods -o yaml', 'describe pods', 'logs -l app=loop --timestamps', 'get nodes'].map((line): Question => ({ about: 'kubectl', line, at })),
      { about: 'check', text: pod('x'), at },
      ...uids.flatMap((podUid): Question[] => [
        { about: 'logs', podUid, container: 'app', at, previous: false, tail: 100 },
        { about: 'logs', podUid, container: 'app', at, previous: true, tail: 100 },
        { about: 'decision', podUid, at },
        { about: 'why', lane: `pod/${podUid}`, at },
        { about: 'why', lane: `condition/${podUid}/Ready`, at },
      ]),
    ];
  }

  const ask = (test: TestSession, question: Question) => ({ question, answer: answer(test.session, question as never) });

  it('are answered of the past as they were when it was the present', () => {
    const test = new TestSession({ scenario });
    const asked = moments.flatMap((at) => questionsAt(test.runTo(at), at).map((question) => ask(test, question)));
    test.runTo(60_000);
    for (const { question, answer: then } of asked) expect(ask(test, question)).toEqual({ question, answer: then });
    // In any order, and of a film that never stood there.
    const fresh = new TestSession({ scenario }).runTo(60_000);
    for (const { question, answer: then } of [...asked].reverse()) expect(ask(fresh, question)).toEqual({ question, answer: then });
    expect(asked.length).toBeGreaterThan(150);
  });

  it('change nothing, not even those that would write', () => {
    const untouched = new TestSession({ scenario }).runTo(60_000);
    const test = new TestSession({ scenario });
    for (const at of moments.filter((_, index) => index % 2 === 1)) {
      test.runTo(at);
      for (const line of ['delete pods --all --wait=false', 'scale deployment web --replicas=7', 'label pods --all a=b', 'create configmap c --from-literal=a=b']) ask(test, { about: 'kubectl', line, at });
      for (const text of [pod('x'), pod('y').replace('name: y', 'generateName: y-')]) ask(test, { about: 'check', text, at });
      for (const question of questionsAt(test, at)) ask(test, question);
    }
    expect(test.runTo(60_000).lines()).toEqual(untouched.lines());
    // Nor the answers to others: a later moment is reached from an earlier one that was asked about.
    const later = new TestSession({ scenario }).runTo(60_000);
    for (const at of [4000, 11_000]) {
      for (const text of [pod('x'), pod('y').replace('name: y', 'generateName: y-')]) ask(later, { about: 'check', text, at });
      ask(later, { about: 'kubectl', line: 'delete pods --all --wait=false', at });
      ask(later, { about: 'kubectl', line: 'create deployment d --image=nginx', at });
    }
    for (const question of questionsAt(untouched, 31_000)) expect(ask(later, question)).toEqual(ask(untouched, question));
  });

  it('about what never was are answered as such', () => {
    const test = new TestSession({ scenario }).runTo(10_000);
    expect(ask(test, { about: 'object', resource: 'pods', namespace: 'default', name: 'none', at: 5000 }).answer).toEqual({ object: null });
    expect(ask(test, { about: 'logs', podUid: 'none', container: 'app', at: 5000, previous: false, tail: 10 }).answer).toEqual({ lines: [] });
    expect(ask(test, { about: 'changes', resource: 'pods', namespace: 'default', name: 'none' }).answer).toEqual({ at: [] });
    expect(ask(test, { about: 'kubectl', line: 'kubectl get pod none', at: 5000 }).answer).toEqual({ stdout: '', stderr: 'Error from server (NotFound): pods "none" not found\n', exit: 1 });
    expect(ask(test, { about: 'kubectl', line: '', at: 5000 }).answer).toMatchObject({ exit: 0 });
    expect(ask(test, { about: 'why', lane: 'pod/none', at: 5000 }).answer).toEqual({ chain: [] });
    expect(ask(test, { about: 'decision', podUid: 'none', at: 5000 }).answer).toEqual({ decision: null, at: 5000 });
  });
});
