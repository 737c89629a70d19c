import { accessModesText, title } from '../../api/print/format.ts';
import { canonicalQuantity } from '../../api/quantity.ts';
import type { PersistentVolume, TopologySelectorTerm } from '../../api/schema/types.ts';
import { annotationLines, formatLabels, grid, labelLines, line, nameLines, none, rows, statusOf, time } from './lines.ts';
import { list, type Describer, type Describers } from './look.ts';
import { claimLines, volumeSourceLines } from './volumes.ts';

/** 'Term 0:' and its requirements. */
function termLines(level: number, index: number, requirements: readonly { key: string; operator: string; values?: string[] }[] = []): string {
  const texts = requirements.map(({ key, operator, values = [] }) => `${key} ${operator.toLowerCase()}${values.length === 0 ? '' : ` [${values.join(', ')}]`}\n`);
  return line(level, `Term ${index}:\t${texts.length === 0 ? `${none}\n` : texts.join(`${'  '.repeat(level)}\t`)}`).slice(0, -1);
}

const affinityLines = ({ spec }: PersistentVolume): string => {
  const required = spec.nodeAffinity?.required;
  if (required === undefined) return rows(0, { 'Node Affinity': none });
  return `Node Affinity:\t\n  Required Terms:\t\n${required.nodeSelectorTerms.map(({ matchExpressions }, index) => termLines(2, index, matchExpressions)).join('')}`;
};

const persistentVolumes: Describer<'persistentvolumes'> = (volume, { nowMs }) => {
  const { metadata, spec, status } = volume;
  return [
    rows(0, { Name: metadata.name }), labelLines('Labels', metadata.labels), annotationLines('Annotations', metadata.annotations),
    rows(0, {
      Finalizers: `[${(metadata.finalizers ?? []).join(' ')}]`, StorageClass: spec.storageClassName ?? '', Status: statusOf(metadata.deletionTimestamp, status?.phase, nowMs),
      Claim: spec.claimRef === undefined ? '' : `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`, 'Reclaim Policy': spec.persistentVolumeReclaimPolicy ?? '',
      'Access Modes': accessModesText(spec.accessModes), VolumeMode: spec.volumeMode, Capacity: canonicalQuantity(spec.capacity?.storage ?? '0'),
    }),
    affinityLines(volume), rows(0, { Message: status?.message ?? '' }), volumeSourceLines(volume),
  ].join('');
};

const claims: Describer<'persistentvolumeclaims'> = (claim, look) => {
  const { metadata, status } = claim;
  const users = list(look, 'pods', metadata.namespace).filter(({ spec }) => spec.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === metadata.name));
  const conditions = status.conditions ?? [];
  return claimLines(claim, true, look.nowMs) + nameLines('Used By', users.map((pod) => pod.metadata.name))
    + (conditions.length === 0 ? '' : `Conditions:\n${grid(1, ['Type', 'Status', 'LastProbeTime', 'LastTransitionTime', 'Reason', 'Message'], conditions.map((one) =>
      [`${one.type} `, `${one.status} `, `${time(one.lastProbeTime)} `, `${time(one.lastTransitionTime)} `, `${one.reason ?? ''} `, one.message ?? '']))}`);
};

const storageClasses: Describer<'storageclasses.storage.k8s.io'> = (object) => {
  const { metadata, provisioner, parameters, allowVolumeExpansion, mountOptions = [], reclaimPolicy, volumeBindingMode, allowedTopologies } = object;
  const isDefault = metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
  return [
    rows(0, {
      Name: metadata.name, IsDefaultClass: isDefault ? 'Yes' : 'No', Annotations: formatLabels(metadata.annotations), Provisioner: provisioner, Parameters: formatLabels(parameters),
      AllowVolumeExpansion: title(allowVolumeExpansion),
    }),
    mountOptions.length === 0 ? rows(0, { MountOptions: none }) : `MountOptions:\n${mountOptions.map((option) => line(1, option)).join('')}`,
    rows(0, { ReclaimPolicy: reclaimPolicy, VolumeBindingMode: volumeBindingMode }),
    allowedTopologies === undefined ? '' : topologyLines(allowedTopologies),
  ].join('');
};

const topologyLines = (terms: readonly TopologySelectorTerm[]): string => (terms.length === 0 ? rows(0, { AllowedTopologies: none })
  : `AllowedTopologies:\t\n${terms.map(({ matchLabelExpressions = [] }, index) => termLines(1, index, matchLabelExpressions.map((one) => ({ ...one, operator: 'in' })))).join('')}`);

export const storage: Describers = { persistentvolumes: persistentVolumes, persistentvolumeclaims: claims, 'storageclasses.storage.k8s.io': storageClasses };
