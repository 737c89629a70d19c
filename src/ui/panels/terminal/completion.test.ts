import { describe, expect, it } from 'vitest';
import { choose, inColumns, placeOf } from './completion.ts';
import { changesCluster, isInteractiveShell } from './verbs.ts';

const commands = ['kubectl', 'k', 'echo', 'clear'];
const wordsAt = (text: string): string[] => {
  const { prefix, wanted } = placeOf(text, commands);
  return wanted.flatMap((item) => (item.kind === 'words' ? item.words : [])).filter((word) => word.startsWith(prefix));
};

describe('completion', () => {
  it('knows commands, verbs, kinds, flags and values', () => {
    expect(wordsAt('ku')).toEqual(['kubectl']);
    expect(wordsAt('kubectl de')).toEqual(['debug', 'delete', 'describe']);
    expect(wordsAt('k -n default ge')).toEqual(['get']);
    expect(wordsAt('k get po')).toEqual(['poddisruptionbudgets', 'pods', 'podtemplates']);
    expect(wordsAt('k scale dep')).toEqual(['deployments']);
    expect(wordsAt('k rollout un')).toEqual(['undo']);
    expect(wordsAt('k get pods --wat')).toEqual(['--watch', '--watch-only']);
    expect(wordsAt('k get pods -o y')).toEqual(['yaml']);
    expect(wordsAt('k get pods --output=y')).toEqual(['yaml']);
  });

  it('knows where a name of the cluster belongs', () => {
    const wanted = (text: string) => placeOf(text, commands).wanted;
    const pods = { kind: 'names', resource: 'pods', namespace: undefined, before: '' };
    expect(wanted('k get po we')).toEqual([pods]);
    expect(wanted('k -n x delete deploy/')).toEqual([{ kind: 'names', resource: 'deployments.apps', namespace: 'x', before: 'deploy/' }]);
    expect(wanted('k logs ')).toEqual([pods]);
    expect(wanted('k logs web -c ')).toEqual([{ kind: 'containers', pod: 'web', namespace: undefined }]);
    expect(wanted('k drain ')).toMatchObject([{ resource: 'nodes' }]);
    expect(wanted('k rollout undo deployment w')).toMatchObject([{ resource: 'deployments.apps' }]);
    expect(wanted('k get pods -n ')).toMatchObject([{ resource: 'namespaces' }]);
    expect(wanted('k apply -f ')).toEqual([{ kind: 'files' }]);
    expect(wanted('k exec web -- ')).toEqual([]);
  });

  it('puts in what all have in common, and shows them if that is nothing new', () => {
    const of = (...texts: string[]) => texts.map((text) => ({ text, after: ' ' }));
    expect(choose('we', of('web', 'db'))).toEqual({ text: 'web ', show: [] });
    expect(choose('w', of('web-1', 'web-2'))).toEqual({ text: 'web-', show: [] });
    expect(choose('web-', of('web-2', 'web-1'))).toEqual({ text: 'web-', show: ['web-1', 'web-2'] });
    expect(choose('x', of('web'))).toEqual({ text: 'x', show: [] });
    expect(inColumns(['a', 'bb', 'c'], 8)).toBe('a   c\nbb\n');
  });
});

describe('a verb', () => {
  it.each([
    ['get pods', false], ['delete pod web', true], ['-n x delete pod web', true], ['apply -f - --dry-run=server', false], ['run web --image=nginx --dry-run=client -o yaml', false], ['create deployment x --dry-run=none', true],
    ['rollout status deploy/web', false], ['rollout undo deploy/web', true], ['delete --help', false], ['exec web -- ls -h', true], ['wait --for=delete pod/web', false], ['label pod web --list', false], ['edit deploy web', false], ['', false],
  ])('%j changes the cluster: %j', (line, changes) => {
    expect(changesCluster(line.split(' '))).toBe(changes);
  });

  it('is known to want a shell that nobody can type into', () => {
    expect(isInteractiveShell('exec -it web -- /bin/sh'.split(' '))).toBe(true);
    expect(isInteractiveShell('exec -it web -- sh -c ls'.split(' '))).toBe(false);
    expect(isInteractiveShell('run web -- sh'.split(' '))).toBe(false);
  });
});
