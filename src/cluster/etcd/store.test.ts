import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOf, type ApiObject } from '../../api/resources.ts';
import { Store } from './store.ts';

const pod = (name: string, node: string, phase: string): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '', creationTimestamp: '', labels: { app: name.slice(0, 1) } },
  spec: { containers: [], nodeName: node },
  status: { phase },
} as ApiObject);

const by = { at: 0, cause: 0, actor: 'test' };

type Act = { name: string; node: string; phase: string; remove: boolean };

const act: fc.Arbitrary<Act> = fc.record({
  name: fc.constantFrom('a1', 'a2', 'b1', 'b2'), node: fc.constantFrom('', 'n1', 'n2'), phase: fc.constantFrom('Pending', 'Running'), remove: fc.boolean(),
});

function play(store: Store, acts: readonly Act[]): void {
  for (const [index, { name, node, phase, remove }] of acts.entries()) {
    const at = { ...by, at: index * 10 };
    if (!remove) store.put('pods', pod(name, node, phase), at);
    else if (store.get(keyOf('pods', 'default', name)) !== undefined) store.remove(keyOf('pods', 'default', name), at);
  }
}

const names = (objects: { metadata: { name: string } }[]) => objects.map((object) => object.metadata.name).sort();

describe('store', () => {
  it('reads every past revision as it was, indexes included', () => {
    fc.assert(fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const store = new Store();
      play(store, acts);
      for (let revision = 0; revision <= store.revision; revision++) {
        const then = new Store();
        for (const change of store.changesFrom(0)) if (change.version.revision <= revision) then.adopt(store, change.version.revision);
        expect(names(store.list('pods', 'default', revision))).toEqual(names(then.list('pods', 'default')));
        for (const node of ['', 'n1', 'n2']) expect(names(store.by('pods', 'node', node, revision))).toEqual(names(then.by('pods', 'node', node)));
        expect(names(store.by('pods', 'label', 'default/app=a', revision))).toEqual(names(then.by('pods', 'label', 'default/app=a')));
      }
    }), { numRuns: 60 });
  });

  it('gives each write the next revision, and the object its resourceVersion', () => {
    const store = new Store();
    const first = store.put('pods', pod('a1', '', 'Pending'), by);
    const second = store.put('pods', pod('a1', 'n1', 'Pending'), by);
    expect([first.type, second.type]).toEqual(['ADDED', 'MODIFIED']);
    expect(second.version.object?.metadata.resourceVersion).toBe('2');
    expect(store.remove(keyOf('pods', 'default', 'a1'), by).type).toBe('DELETED');
    expect(store.revision).toBe(3);
  });

  it('goes back to a position as if what came after never was', () => {
    const store = new Store();
    play(store, [{ name: 'a1', node: '', phase: 'Pending', remove: false }]);
    const saved = store.checkpoint();
    play(store, [{ name: 'a1', node: 'n1', phase: 'Running', remove: false }, { name: 'b1', node: 'n1', phase: 'Running', remove: false }]);
    store.restore(saved);
    expect(store.revision).toBe(1);
    expect(store.by('pods', 'node', 'n1')).toEqual([]);
    expect(names(store.by('pods', 'node', ''))).toEqual(['a1']);
  });

  it('hands out objects that nobody can change', () => {
    const store = new Store();
    store.put('pods', pod('a1', '', 'Pending'), by);
    const object = store.get(keyOf('pods', 'default', 'a1')) as ApiObject;
    expect(() => { object.metadata.name = 'x'; }).toThrow();
  });
});
