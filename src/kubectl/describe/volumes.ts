import type { EphemeralVolumeSource, PersistentVolume, PersistentVolumeClaim, ProjectedVolumeSource, Volume } from '../../api/schema/types.ts';
import { accessModesText } from '../../api/print/format.ts';
import { canonicalQuantity, quantitySign } from '../../api/quantity.ts';
import { statusOf, annotationLines, labelLines, line, none, rows, unset, type Cell } from './lines.ts';

type Source = Record<string, unknown>;

/** Kind of volume -> what it is, and 'Label=field' for each line; a field is 'name?text if absent'. Upstream: describe.go print…VolumeSource. */
const kinds: Readonly<Record<string, readonly [description: string, fields: string]>> = {
  hostPath: ['HostPath (bare host directory volume)', 'Path=path HostPathType=type?<none>'],
  emptyDir: ["EmptyDir (a temporary directory that shares a pod's lifetime)", 'Medium=medium SizeLimit=sizeLimit?<unset>'],
  secret: ['Secret (a volume populated by a Secret)', 'SecretName=secretName Optional=optional?false'],
  configMap: ['ConfigMap (a volume populated by a ConfigMap)', 'Name=name Optional=optional?false'],
  nfs: ['NFS (an NFS mount that lasts the lifetime of a pod)', 'Server=server Path=path ReadOnly=readOnly?false'],
  persistentVolumeClaim: ['PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)', 'ClaimName=claimName ReadOnly=readOnly?false'],
  local: ['LocalVolume (a persistent volume backed by local storage on a node)', 'Path=path'],
  csi: ['CSI (a Container Storage Interface (CSI) volume source)', 'Driver=driver FSType=fsType ReadOnly=readOnly?false'],
  image: ['Image (a container image or OCI artifact)', 'Reference=reference PullPolicy=pullPolicy'],
  ephemeral: ['EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)', ''],
  downwardAPI: ['DownwardAPI (a volume populated by information about the pod)', ''],
  projected: ['Projected (a volume that contains injected data from multiple sources)', ''],
};

function sourceLines(source: Source): string {
  const kind = Object.keys(kinds).find((name) => source[name] !== undefined);
  if (kind === undefined) return line(1, '<unknown>');
  const [description, fields] = kinds[kind] as readonly [string, string];
  const value = source[kind] as Source;
  const lines = fields.split(' ').filter(Boolean).map((text) => {
    const [label = '', field = ''] = text.split('=');
    const [name = '', absent = ''] = field.split('?');
    const found = value[name];
    const shown = name === 'sizeLimit' && found !== undefined ? (quantitySign(found as string) > 0 ? canonicalQuantity(found as string) : unset) : found;
    return rows(2, { [label]: (shown ?? absent) as Cell });
  });
  return `${rows(2, { Type: description })}${lines.join('')}${more[kind]?.(value) ?? ''}`;
}

const more: Readonly<Record<string, (value: Source) => string>> = {
  csi: ({ volumeAttributes }) => labelLines('VolumeAttributes', volumeAttributes as Record<string, string> | undefined, '    '),
  downwardAPI: ({ items }) => line(2, 'Items:') + ((items ?? []) as { fieldRef?: { fieldPath: string }; resourceFieldRef?: { resource: string }; path: string }[])
    .map(({ fieldRef, resourceFieldRef, path }) => line(3, `${fieldRef?.fieldPath ?? resourceFieldRef?.resource ?? ''} -> ${path}`)).join(''),
  projected: (value) => (value as ProjectedVolumeSource).sources?.map(({ secret, downwardAPI, configMap, serviceAccountToken }) => {
    if (secret) return rows(2, { SecretName: secret.name ?? '', Optional: secret.optional ?? false });
    if (downwardAPI) return rows(2, { DownwardAPI: true });
    if (configMap) return rows(2, { ConfigMapName: configMap.name ?? '', Optional: configMap.optional ?? false });
    return serviceAccountToken ? rows(2, { TokenExpirationSeconds: serviceAccountToken.expirationSeconds ?? 3600 }) : '';
  }).join('') ?? '',
  // The nested writer indents each piece that it is given, values of lists too.
  ephemeral: (value) => {
    const template = (value as EphemeralVolumeSource).volumeClaimTemplate;
    if (template === undefined) return '';
    const claim = { metadata: template.metadata ?? {}, spec: template.spec } as PersistentVolumeClaim;
    return claimLines(claim, false, 0).split('\n').map((text) => (text === '' ? '' : `    ${text.replace(/^((?:Labels|Annotations):\t)/, '$1    ')}`)).join('\n');
  },
};

export function volumeLines(volumes: readonly Volume[] = [], space = ''): string {
  if (volumes.length === 0) return `${space}Volumes:\t${none}\n`;
  return `${space}Volumes:\n${volumes.map((volume) => `${line(1, `${space === '' ? '' : ' '}${volume.name}:`)}${sourceLines(volume as unknown as Source)}`).join('')}`;
}

export const volumeSourceLines = ({ spec }: PersistentVolume): string => `Source:\n${sourceLines(spec as unknown as Source)}`;

export function claimLines({ metadata, spec, status }: PersistentVolumeClaim, whole: boolean, nowMs: number): string {
  const bound = Boolean(spec.volumeName);
  return [
    whole ? rows(0, { Name: metadata.name, Namespace: metadata.namespace }) : '',
    rows(0, { StorageClass: spec.storageClassName ?? '', ...(whole ? { Status: statusOf(metadata.deletionTimestamp, status.phase, nowMs) } : {}), Volume: spec.volumeName ?? '' }),
    labelLines('Labels', metadata.labels),
    annotationLines('Annotations', metadata.annotations),
    whole ? rows(0, { Finalizers: `[${(metadata.finalizers ?? []).join(' ')}]` }) : '',
    rows(0, {
      Capacity: bound ? canonicalQuantity(status.capacity?.storage ?? '0') : '', 'Access Modes': bound ? accessModesText(status.accessModes) : '', VolumeMode: spec.volumeMode,
    }),
    spec.dataSource ? `DataSource:\n${rows(1, { APIGroup: spec.dataSource.apiGroup, Kind: spec.dataSource.kind, Name: spec.dataSource.name })}` : '',
  ].join('');
}
