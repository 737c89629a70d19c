import { describe, expect, it } from 'vitest';
import { parseArguments, flag } from './flags.ts';
import { commandOf } from './registry.ts';
import { meta, pod, stage } from './testing/stage.ts';

describe('the command line', () => {
  it('takes flags before the verb, after it and joined (K-1)', () => {
    const one = stage().put(pod('web'));
    expect(one.run('-n default get pods -o name').stdout).toBe('pod/web\n');
    expect(one.run('get -oname pods').stdout).toBe('pod/web\n');
    const parsed = parseArguments(['-it', '-ca', 'x', '--', '-n', 'y'], { stdin: flag.bool('i'), tty: flag.bool('t'), container: flag.text('c') }, 'kubectl exec');
    expect([parsed.bool('stdin'), parsed.bool('tty'), parsed.text('container'), parsed.words, parsed.command]).toEqual([true, true, 'a', ['x'], ['-n', 'y']]);
  });

  it("refuses flags in pflag's words (K-1)", () => {
    const { run } = stage();
    expect(run('get pods --nope').stderr).toBe("error: unknown flag: --nope\nSee 'kubectl get --help' for usage.\n");
    expect(run('get pods -Z').stderr).toBe("error: unknown shorthand flag: 'Z' in -Z\nSee 'kubectl get --help' for usage.\n");
    expect(run('logs a --tail=x').stderr).toContain('invalid argument "x" for "--tail" flag: strconv.ParseInt: parsing "x": invalid syntax');
    expect(run('wait pod/a --for=delete --timeout=5').stderr).toContain('time: missing unit in duration "5"');
    expect(run('get pods -n').stderr).toContain("flag needs an argument: 'n' in -n");
  });

  it('names the verbs that are near (K-2)', () => {
    expect(stage().run('gett pods')).toEqual({ stdout: '', stderr: 'error: unknown command "gett" for "kubectl"\n\nDid you mean this?\n\tset\n\tget\n', exit: 1 });
    expect(stage().run('frobnicate').stderr).toBe('error: unknown command "frobnicate" for "kubectl"\n');
  });

  it('has every verb that it knows of (K-3)', () => {
    for (const verb of ['apply', 'describe', 'rollout', 'port-forward', 'create', 'completion']) expect(commandOf(verb), verb).toBeDefined();
    expect(commandOf('frobnicate')).toBeUndefined();
  });

  it('points to the manual instead of doing anything (K-7)', () => {
    expect(stage().put(pod('web')).run('delete pod web --help')).toMatchObject({ stdout: 'See https://kubernetes.io/docs/reference/kubectl/generated/kubectl_delete/\n', exit: 0 });
  });

  it('does what it can and tells the rest at the end (K-10)', () => {
    const { run } = stage().put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: meta('a') });
    expect(run('label cm a nope tier=x')).toEqual({ stdout: 'configmap/a labeled\n', stderr: 'Error from server (NotFound): configmaps "nope" not found\n', exit: 1 });
    expect(run('get pods nope nope2').stderr).toBe('Error from server (NotFound): pods "nope" not found\nError from server (NotFound): pods "nope2" not found\n');
  });

  it('puts names around what a kustomization lists (K-13)', () => {
    const files = { 'kustomization.yaml': 'namePrefix: k-\nresources: [a.yaml]\n', 'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n' };
    expect(stage().run('apply -k .', files).stdout).toBe('configmap/k-a created\n');
    expect(stage().run('apply -k .', { ...files, 'kustomization.yaml': 'patches: []\n' }).stderr).toBe("error: kustomize's patches is not simulated: apply the output of kustomize build with -f\n");
  });

  it('says what is not simulated (K-51)', () => {
    const { run } = stage().put(pod('web')).put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: meta('c') });
    expect(run('port-forward pod/web 8080:80')).toMatchObject({ stderr: expect.stringContaining('is not simulated'), exit: 1 });
    expect(run('edit cm c').stderr).toContain('kubectl edit is not simulated');
    expect(run('edit cm d').stderr).toBe('Error from server (NotFound): configmaps "d" not found\n');
  });
});
