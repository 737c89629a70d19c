import { describe, expect, it } from 'vitest';
import { applyFix } from '../../api/paste.ts';
import type { Problem } from '../protocol.ts';
import { answer } from './ask.ts';
import { TestSession } from './testing/whole-film.ts';

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: app
      image: nginx:1.25
      env:
        - name: A
          value: "1"
      lifecycle:
        preStop:
          exec:
            command: ["sh", "-c", "sleep 1"]
`;

const test = new TestSession({ scenario: 'title: check\nsteps: []' }).runTo(1000);
const check = (text: string): Problem[] => answer<'check'>(test.session, { about: 'check', text, at: 1000 }).problems;
const errors = (text: string) => check(text).filter((problem) => problem.severity === 'error');

/** The text that a problem marks. */
function marked(text: string, { line, column, endLine, endColumn }: Problem): string {
  const lines = text.split('\n');
  return line === endLine ? (lines[line - 1] ?? '').slice(column - 1, endColumn - 1) : lines.slice(line - 1, endLine).join('\n');
}

/** Takes every fix that is offered until none is left. */
function repaired(text: string): string {
  let current = text;
  for (let turn = 0; turn < 10; turn++) {
    const fix = check(current).find((problem) => problem.fix !== undefined)?.fix;
    if (fix === undefined) break;
    current = applyFix(current, fix);
  }
  return current;
}

describe('the check of a manifest', () => {
  it('has nothing to say about what is right', () => {
    expect(check(pod)).toEqual([]);
    expect(check('')).toEqual([]);
    expect(check('# nothing\n---\n')).toEqual([]);
    expect(check(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } }))).toEqual([]);
  });

  it.each<[change: [string, string], mark: string, says: RegExp, fixed?: string]>([
    [['image:', 'imgae:'], 'imgae', /unknown field "spec.containers\[0\].imgae": did you mean "image"/, 'image:'],
    [['preStop', 'prestop'], 'prestop', /did you mean "preStop"/, 'preStop:'],
    [['image: nginx', 'Image: nginx'], 'Image', /did you mean "image"/, '      image:'],
    [['kind: Pod', 'kind: pod'], 'kind', /no matches for kind "pod" in version "v1"/, 'kind: Pod'],
    [['kind: Pod', 'kind: Pods'], 'kind', /no matches for kind "Pods"/, 'kind: Pod\n'],
    [['apiVersion: v1', 'apiVersion: apps/v1'], 'apiVersion', /no matches for kind "Pod" in version "apps\/v1"/, 'apiVersion: v1\n'],
    [['apiVersion', 'apiversion'], 'apiversion', /apiVersion not set/, 'apiVersion: v1'],
    [['value: "1"', 'value: 8080'], 'value', /cannot unmarshal number into Go struct field EnvVar.spec.containers.env.value of type string/, 'value: "8080"'],
    [['value: "1"', 'value: true'], 'value', /cannot unmarshal bool/, 'value: "true"'],
    [['name: web', 'name: web\n  labels: { version: 1.10 }'], 'version', /ObjectMeta.metadata.labels of type string/, 'version: "1.10"'],
    [['env:', 'ports: [{ containerPort: "80" }]\n      env:'], 'containerPort', /cannot unmarshal string into Go struct field/, 'containerPort: 80 }'],
    [['apiVersion', '\u0430piVersion'], '\u0430piVersion', /apiVersion not set/, 'apiVersion: v1'],
    [['name: web', 'name: My_Web'], 'name', /metadata.name: Invalid value: "My_Web"/],
    [['name: web', 'generateName: web-'], 'generateName', /cannot use generate name with apply/],
    [['spec:', 'spec:\n  priorityClassName: none'], 'priorityClassName', /no PriorityClass with name none was found/],
    [['name: web', 'name: web\n  namespace: none'], 'namespace', /namespaces "none" not found/],
    [['spec:', 'spec:\n  serviceAccountName: none'], 'serviceAccountName', /serviceaccount "none" not found/],
  ])('marks %j', (change, mark, says, fixed) => {
    const text = pod.replace(...change);
    const [problem, ...others] = errors(text);
    expect([problem?.message, others]).toEqual([expect.stringMatching(says), []]);
    expect(marked(text, problem as Problem)).toBe(mark);
    if (fixed === undefined) return;
    expect(repaired(text)).toContain(fixed);
    expect(errors(repaired(text))).toEqual([]);
  });

  it.each<[what: string, change: [string | RegExp, string], mark: string]>([
    ['a full-width comma', ['"sh", "-c"', '"sh"，"-c"'], '，'],
    ['a full-width colon', ['lifecycle:', 'lifecycle：'], '：'],
    ['a full-width colon before a value', ['image: nginx', 'image：nginx'], '：'],
    ['curly quotes', ['"sh"', '“sh”'], '“sh”'],
    ['single curly quotes', ['nginx:1.25', '‘nginx:1.25’'], '‘nginx:1.25’'],
    ['a tab as indentation', ['    - name: app', '\t- name: app'], '\t'],
    ['a no-break space', ['image: nginx', 'image:\u00a0nginx'], '\u00a0'],
    ['a no-break space at the end', ['name: web', 'name: web\u00a0'], '\u00a0'],
    ['an ideographic space', ['  containers', '\u3000containers'], '\u3000'],
    ['a zero-width space', ['image:', 'image\u200b:'], '\u200b'],
    ['a dash of another kind', ['- name: app', '— name: app'], '—'],
    ['a bracket of another kind', ['["sh"', '［"sh"'], '［'],
    ['a missing space after the colon', ['image: nginx', 'image:nginx'], 'image:nginx:1.25'],
    ['a missing space after the dash', ['- name: app', '-name: app'], '-'],
    ['a prompt', [/^/, '$ kubectl apply -f pod.yaml\n'], '$ kubectl apply -f pod.yaml'],
    ['a fence', [/^/, '```yaml\n'], '```yaml'],
    ['a mark after a value', ['kind: Pod', 'kind: Pod!'], '!'],
  ])('finds %s that was pasted along, and takes it out', (_, change, mark) => {
    const text = pod.replace(change[0], change[1]);
    const [problem] = check(text).filter((item) => item.fix !== undefined);
    expect(marked(text, problem as Problem)).toBe(mark);
    expect(errors(repaired(text))).toEqual([]);
  });

  it('lets what only looks odd pass', () => {
    for (const [from, to] of [['metadata:', 'metadata :'], ['image: nginx', 'image:\tnginx'], ['name: web', 'name: web # 注释，全角']] as const) expect(errors(pod.replace(from, to)), to).toEqual([]);
    expect(errors(`\ufeff${pod}`)).toEqual([]);
    expect(errors(pod.replace(/\n/g, '\r\n'))).toEqual([]);
    expect(errors(`apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n  a: |\n    “full” ，：—\n  b: "，“”"\n`)).toEqual([]);
  });

  it('marks each of several mistakes, and those of a later document in that document', () => {
    const text = `${pod}---\n${pod.replace('name: web', 'name: two').replace('image:', 'imgae:').replace('preStop', 'prestop')}`;
    expect(errors(text).map((problem) => [problem.line, marked(text, problem)])).toEqual([[24, 'imgae'], [29, 'prestop']]);
    const later = `${pod}---\n${pod.replace('name: web', 'name: two').replace('spec:', 'spec:\n  priorityClassName: none')}`;
    expect(errors(later).map((problem) => problem.line)).toEqual([22]);
  });

  it('knows what earlier documents of the text bring', () => {
    const classes = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 100\n---\n';
    expect(errors(classes + pod.replace('spec:', 'spec:\n  priorityClassName: high'))).toEqual([]);
    const place = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n---\n';
    const inside = pod.replace('name: web', 'name: web\n  namespace: shop');
    expect(errors(place + inside)).toEqual([]);
    expect(errors(place + inside.replace('image:', 'imgae:'))).toHaveLength(1);
    // And forgets it again.
    expect(errors(inside)).toHaveLength(1);
  });

  it('judges an object that is there already by what would change', () => {
    const other = new TestSession({ scenario: 'title: check\nsteps: []' }).runTo(1000);
    other.session.input({ at: 1000, kind: 'apply', text: pod });
    other.runTo(5000);
    const then = (text: string) => answer<'check'>(other.session, { about: 'check', text, at: 5000 }).problems.map((problem) => problem.message);
    expect(then(pod)).toEqual([]);
    expect(then(pod.replace('1.25', '1.26'))).toEqual([]);
    expect(then(pod.replace('value: "1"', 'value: "2"'))).toEqual([expect.stringContaining('pod updates may not change fields other than')]);
  });

  it('remarks what is accepted and not acted on, at the field', () => {
    const text = pod.replace('spec:', 'spec:\n  hostPID: true');
    expect(check(text).map((problem) => [problem.severity, marked(text, problem)])).toEqual([['info', 'hostPID']]);
  });

  it('never throws, whatever stands there', () => {
    const odd = ['{', '[', '- a\n- b', 'a: [', '%YAML 1.1', '&a *a', '? a', '!!int x', 'kind: 7', 'apiVersion: {}\nkind: []', 'apiVersion: v1\nkind: List\nitems: 3', 'apiVersion: v1\nkind: Pod\nspec: 7',
      'apiVersion: v1\nkind: Pod\nmetadata: []\nspec: {}', 'apiVersion: v1\nkind: Pod\nmetadata: { name: 7 }', 'apiVersion: v1\nkind: List\nitems: [{ kind: Pod }]', '\u0000', '\ud800', '---\n---\n...\n', 'a: b: c', '"', "'", '\t', '- - - -', '<<: *x', 'null', '1', '~'];
    for (const text of odd) expect(() => check(text), text).not.toThrow();
    for (let end = 0; end < pod.length; end += 3) expect(() => check(pod.slice(0, end)), pod.slice(0, end)).not.toThrow();
  });
});
