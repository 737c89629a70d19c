import { compareText } from '../../sim/plain.ts';
import { goQuote } from '../../api/meta/go-text.ts';
import { quantityToMilli, quantityToNumber } from '../../api/quantity.ts';
import type { Container, EnvVarSource, Pod } from '../../api/schema/types.ts';

/** What stands behind a variable that takes its value from the pod. Upstream: describe.go describeContainerEnvVars. */
export function podEnvironmentValue({ fieldRef, resourceFieldRef }: EnvVarSource, container: Container, pod: Pod | undefined): string {
  if (fieldRef !== undefined) return `${pod === undefined ? '' : fieldValue(pod, fieldRef.fieldPath)} (${fieldRef.apiVersion ?? 'v1'}:${fieldRef.fieldPath})`;
  const resource = resourceFieldRef?.resource ?? '';
  const value = resourceValue(container, resource, resourceFieldRef?.divisor);
  return `${value === '0' && /^limits\.(cpu|memory)$/.test(resource) ? 'node allocatable' : value} (${resource})`;
}

/** Upstream: util/fieldpath ExtractFieldPathAsString. */
function fieldValue({ metadata }: Pod, path: string): string {
  const keyed = /^metadata\.(labels|annotations)(?:\['(.*)'\])?$/.exec(path);
  if (keyed !== null) {
    const map = metadata[keyed[1] as 'labels' | 'annotations'] ?? {};
    return keyed[2] === undefined ? Object.keys(map).sort(compareText).map((key) => `${key}=${goQuote(map[key] as string)}`).join('\n') : (map[keyed[2]] ?? '');
  }
  const values: Readonly<Record<string, string | undefined>> = { 'metadata.name': metadata.name, 'metadata.namespace': metadata.namespace, 'metadata.uid': metadata.uid };
  return values[path] ?? '';
}

/** Upstream: util/resource ExtractContainerResourceValue: rounded up to whole divisors. */
function resourceValue({ resources }: Container, resource: string, divisor = '1'): string {
  const [side = '', name = ''] = [resource.split('.')[0], resource.split('.').slice(1).join('.')];
  if (side !== 'limits' && side !== 'requests') return '';
  const quantity = resources?.[side]?.[name];
  const unit = divisor === '0' ? '1' : divisor;
  if (quantity === undefined) return '0';
  return String(name === 'cpu' ? Math.ceil(quantityToMilli(quantity) / quantityToMilli(unit)) : Math.ceil(quantityToNumber(quantity) / quantityToNumber(unit)));
}
