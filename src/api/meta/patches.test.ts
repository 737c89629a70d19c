import { describe, expect, it } from 'vitest';
import { jsonPatch, mergePatch, strategicMergePatch, threeWayMergePatch, threeWayPatch } from './patches.ts';

const merged = (original: unknown, patch: unknown, struct = 'PodSpec'): unknown => {
  const result = strategicMergePatch(original, patch, struct);
  return 'value' in result ? result.value : result.error;
};

describe('strategic merge', () => {
  const spec = { containers: [{ name: 'a', image: 'x', env: [{ name: 'K', value: '1' }, { name: 'L', value: '2' }] }, { name: 'b', image: 'y' }], tolerations: [{ key: 'k' }], nodeSelector: { disk: 'ssd' } };

  it('finds items by their key, adds new ones at the end', () => {
    expect(merged(spec, { containers: [{ name: 'b', image: 'z' }, { name: 'c', image: 'n' }] })).toMatchObject({ containers: [{ name: 'a', image: 'x' }, { name: 'b', image: 'z' }, { name: 'c', image: 'n' }] });
  });

  it('replaces lists without a key and deletes what is null', () => {
    expect(merged(spec, { tolerations: [{ key: 'm' }], nodeSelector: null })).toEqual({ containers: spec.containers, tolerations: [{ key: 'm' }] });
  });

  it('obeys $patch and $setElementOrder', () => {
    expect(merged(spec, { containers: [{ name: 'a', $patch: 'delete' }] })).toMatchObject({ containers: [{ name: 'b' }] });
    expect(merged(spec, { nodeSelector: { $patch: 'replace', zone: 'z' } })).toMatchObject({ nodeSelector: { zone: 'z' } });
    expect(merged(spec, { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }], containers: [{ name: 'a', image: 'w' }] })).toMatchObject({ containers: [{ name: 'b' }, { name: 'a', image: 'w' }] });
  });

  it('leaves the original as it was', () => {
    expect(spec.containers[0]).toMatchObject({ image: 'x' });
  });
});

describe('kubectl apply', () => {
  const last = { metadata: { labels: { a: '1', gone: '1' } }, spec: { replicas: 2, template: { spec: { containers: [{ name: 'c', image: 'x', env: [{ name: 'E', value: '1' }] }] } } } };
  const next = { metadata: { labels: { a: '2' } }, spec: { template: { spec: { containers: [{ name: 'c', image: 'x' }] } } } };
  const live = { metadata: { labels: { a: '1', gone: '1', kept: '1' } }, spec: { replicas: 5, template: { spec: { containers: [{ name: 'c', image: 'x', imagePullPolicy: 'Always', env: [{ name: 'E', value: '1' }] }] } } } };

  it('changes what the manifest says, deletes what left it and keeps what others wrote', () => {
    const patch = threeWayPatch(last, next, live, 'Deployment');
    expect(merged(live, patch, 'Deployment')).toEqual({
      metadata: { labels: { a: '2', kept: '1' } }, spec: { template: { spec: { containers: [{ name: 'c', image: 'x', imagePullPolicy: 'Always' }] } } },
    });
  });

  it('finds nothing to do the second time', () => {
    expect(threeWayPatch(next, next, { ...next, spec: { ...next.spec, replicas: 3 } }, 'Deployment')).toEqual({});
    expect(threeWayMergePatch({ a: 1, b: 1 }, { a: 2 }, { a: 1, b: 1, c: 1 })).toEqual({ a: 2, b: null });
  });
});

it('merges as RFC 7386 says', () => {
  expect(mergePatch({ a: { b: 1, c: 2 }, l: [1] }, { a: { b: null }, l: [2] })).toEqual({ a: { c: 2 }, l: [2] });
});

describe('JSON patches', () => {
  const apply = (document: unknown, ...operations: { op: string; path: string; from?: string; value?: unknown }[]): unknown => {
    const result = jsonPatch(document, operations);
    return 'value' in result ? result.value : result.error;
  };

  it('apply one after the other', () => {
    expect(apply({ a: [1, 2], 'x/y': 0 }, { op: 'add', path: '/a/-', value: 3 }, { op: 'remove', path: '/a/0' }, { op: 'replace', path: '/x~1y', value: 1 }, { op: 'copy', from: '/a', path: '/b' })).toEqual({ a: [2, 3], 'x/y': 1, b: [2, 3] });
  });

  it('fail as a whole', () => {
    expect(apply({ a: 1 }, { op: 'test', path: '/a', value: 2 })).toMatch(/testing value \/a failed/);
    expect(apply({}, { op: 'remove', path: '/a' })).toMatch(/Unable to remove nonexistent key: a/);
  });
});
