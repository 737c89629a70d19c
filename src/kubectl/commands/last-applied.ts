import { goJson } from '../../api/meta/go-text.ts';
import type { NewObject } from '../../api/resources.ts';
import { located, type Item } from '../manifests.ts';
import { sortedDeep } from '../output/sorted.ts';

export const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The object with the annotation that remembers it. Upstream: kubectl/pkg/util/apply.go GetModifiedConfiguration. */
export function remembered(item: Item): NewObject {
  const object = located(item);
  const { [lastApplied]: _, ...annotations } = object.metadata?.annotations ?? {};
  const metadata = { ...object.metadata, annotations };
  const text = `${goJson(sortedDeep({ ...object, metadata }))}\n`;
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: text } } };
}
