import { invalid } from '../../../api/meta/field-error.ts';
import { invalidStatus } from '../../../api/meta/status.ts';
import { keyOf, type ResourceName } from '../../../api/resources.ts';
import type { CronJob, Namespace, Pod, PodSpec, ReplicaSet, Status } from '../../../api/schema/types.ts';
import { compareText } from '../../../sim/plain.ts';
import { forbid, type Attributes, type Plugin } from './plugin.ts';
import { findings } from './pod-security-checks.ts';

type Level = 'privileged' | 'baseline' | 'restricted';

const levels: readonly string[] = ['privileged', 'baseline', 'restricted'];
const prefix = 'pod-security.kubernetes.io/';

/** Upstream: plugin/pkg/admission/security/podsecurity, pod-security-admission. Simplified: the version is always the latest; audit leaves no trace. */
export const podSecurity: Plugin = {
  name: 'PodSecurity',
  resources: [
    'namespaces', 'pods', 'podtemplates', 'replicationcontrollers', 'replicasets.apps', 'deployments.apps', 'statefulsets.apps', 'daemonsets.apps', 'jobs.batch', 'cronjobs.batch',
  ],
  validate: (attributes) => {
    if (attributes.call.info.resource === 'namespaces') return checkNamespace(attributes);
    const { enforce, warn } = levelsOf(attributes);
    if (attributes.call.info.resource === 'pods') return checkPod(attributes, enforce, warn);
    // A template is only warned of: the pods made from it are refused.
    const level = warn ?? enforce;
    warnOf(attributes, level, templateSpec(attributes));
    return undefined;
  },
};

const label = (namespace: Namespace | undefined, mode: string): Level | undefined => namespace?.metadata.labels?.[prefix + mode] as Level | undefined;

function levelsOf({ call }: Attributes): { enforce: Level | undefined; warn: Level | undefined } {
  const namespace = call.env.store.get(keyOf('namespaces', undefined, call.namespace)) as Namespace | undefined;
  return { enforce: label(namespace, 'enforce'), warn: label(namespace, 'warn') };
}

function violations(level: Level | undefined, spec: PodSpec | undefined): string | undefined {
  if (level === undefined || level === 'privileged' || spec === undefined) return undefined;
  const found = findings(level, spec);
  return found.length === 0 ? undefined : `PodSecurity "${level}:latest": ${found.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')}`;
}

function checkPod(attributes: Attributes, enforce: Level | undefined, warn: Level | undefined): Status | undefined {
  const pod = attributes.object as Pod;
  const old = attributes.old as Pod | undefined;
  // Of an update only what runs can matter.
  if (old !== undefined && imagesOf(old) === imagesOf(pod)) return undefined;
  const broken = violations(enforce, pod.spec);
  if (broken !== undefined) return forbid(attributes, `violates ${broken}`);
  warnOf(attributes, warn, pod.spec);
  return undefined;
}

const imagesOf = ({ spec }: Pod): string => [...(spec.initContainers ?? []), ...spec.containers].map(({ image }) => image).join();

function warnOf({ call }: Attributes, level: Level | undefined, spec: PodSpec | undefined): void {
  if (call.caller.inside) return;
  const broken = violations(level, spec);
  if (broken !== undefined) call.warnings.push(`would violate ${broken}`);
}

function templateSpec({ call, object }: Attributes): PodSpec | undefined {
  const resource: ResourceName = call.info.resource;
  if (resource === 'cronjobs.batch') return (object as CronJob).spec.jobTemplate.spec?.template.spec;
  if (resource === 'podtemplates') return (object as { template?: { spec?: PodSpec } }).template?.spec;
  return (object as ReplicaSet).spec.template?.spec;
}

/** The labels must be levels; a stricter one names the pods that would not pass any more. */
function checkNamespace({ call, object, old }: Attributes): Status | undefined {
  const namespace = object as Namespace;
  const errors = ['enforce', 'audit', 'warn'].flatMap((mode) => {
    const value = namespace.metadata.labels?.[prefix + mode];
    const version = namespace.metadata.labels?.[`${prefix}${mode}-version`];
    return [
      ...(value === undefined || levels.includes(value) ? [] : [invalid(`metadata.labels[${prefix}${mode}]`, value, 'must be one of privileged, baseline, restricted')]),
      ...(version === undefined || /^(latest|v1\.\d+)$/.test(version) ? [] : [invalid(`metadata.labels[${prefix}${mode}-version]`, version, 'must be "latest" or "v1.x"')]),
    ];
  });
  if (errors.length > 0) return invalidStatus(call.info, namespace.metadata.name, errors);
  const level = label(namespace, 'enforce');
  const before = label(old as Namespace | undefined, 'enforce');
  if (old === undefined || level === undefined || levels.indexOf(level) <= levels.indexOf(before ?? 'privileged') || call.caller.inside) return undefined;
  const groups = new Map<string, string[]>();
  for (const { metadata, spec } of call.env.store.list('pods', namespace.metadata.name)) {
    const reasons = findings(level as 'baseline', spec).map(({ reason }) => reason).join(', ');
    if (reasons !== '') groups.set(reasons, [...(groups.get(reasons) ?? []), metadata.name]);
  }
  if (groups.size > 0) call.warnings.push(`existing pods in namespace "${namespace.metadata.name}" violate the new PodSecurity enforce level "${level}:latest"`, ...groupTexts(groups));
  return undefined;
}

function groupTexts(groups: ReadonlyMap<string, string[]>): string[] {
  return [...groups].map(([reasons, pods]) => {
    const others = pods.length - 1;
    return `${pods[0]}${others === 0 ? '' : ` (and ${others} other pod${others === 1 ? '' : 's'})`}: ${reasons}`;
  }).sort(compareText);
}
