import { parseYaml } from '../../api/yaml.ts';
import type { NewObject } from '../../api/resources.ts';
import { plainError } from '../failure.ts';
import type { ParsedArguments } from '../flags.ts';
import type { Item, ItemOrFailure, Place } from '../manifests.ts';

interface Kustomization {
  resources?: string[];
  namePrefix?: string;
  nameSuffix?: string;
  namespace?: string;
  commonAnnotations?: Record<string, string>;
}

/** The objects that -f and -k name. Simplified: of kustomize only resources in the working directory, names, namespace and annotations. */
export function filesOf(parsed: ParsedArguments, place: Place, read: (files: readonly string[], place: Place) => ItemOrFailure[]): ItemOrFailure[] {
  const folder = parsed.text('kustomize');
  if (folder === undefined) return read(parsed.list('filename'), place);
  const text = place.files?.['kustomization.yaml'];
  if (text === undefined) throw plainError(`unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '${folder}'`);
  const kustomization = (parseYaml(text) ?? {}) as Kustomization;
  const known = new Set(['apiVersion', 'kind', 'resources', 'namePrefix', 'nameSuffix', 'namespace', 'commonAnnotations']);
  const other = Object.keys(kustomization).find((key) => !known.has(key));
  if (other !== undefined) throw plainError(`kustomize's ${other} is not simulated: apply the output of kustomize build with -f`);
  return read(kustomization.resources ?? [], place).map((item) => ('object' in item ? changed(item, kustomization) : item));
}

function changed(item: Item, { namePrefix = '', nameSuffix = '', namespace, commonAnnotations }: Kustomization): Item {
  const metadata = {
    ...item.object.metadata, name: `${namePrefix}${item.object.metadata?.name ?? ''}${nameSuffix}`,
    ...(commonAnnotations === undefined ? {} : { annotations: { ...item.object.metadata?.annotations, ...commonAnnotations } }),
  };
  return { ...item, object: { ...item.object, metadata } as NewObject, namespace: item.info.namespaced && namespace !== undefined ? namespace : item.namespace };
}
