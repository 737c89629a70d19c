import { apiVersionOf, resourceInfo, resources, type ResourceName } from '../../../../api/resources.ts';
import { setCondition } from '../../../../api/meta/conditions.ts';
import type { Namespace, NamespaceCondition, Pod } from '../../../../api/schema/types.ts';
import { compareText, samePlain } from '../../../../sim/plain.ts';
import { parseRfc3339 } from '../../../../sim/time.ts';
import type { Component, Context, View } from '../../../component.ts';
import { controller, createControllerState, enqueueAfter, type ControllerState, type Step } from '../../controller.ts';
import { splitQueueKey } from '../../workqueue.ts';

/** Lets what is on its way arrive first. Upstream: pkg/controller/namespace/namespace_controller.go namespaceDeletionGracePeriod. */
const waitMs = 5000;

export interface NamespaceState extends ControllerState {
  /** When a namespace is looked at next: of several reasons the earliest counts. */
  dueAt: Record<string, number>;
}

/** What one pass over a namespace found. */
interface Findings {
  error?: string;
  /** Seconds that pods may still take. */
  estimate: number;
  remaining: Record<string, number>;
  finalizers: Record<string, number>;
}

const namespaced = resources.filter((info) => info.namespaced);

export const namespace: Component<NamespaceState> = controller<NamespaceState>({
  reportsAs: 'namespace-controller',
  watches: [{ resource: 'namespaces' }],
  start: () => ({ ...createControllerState(), dueAt: {} }),
  observe: (state, { type, object }, context) => {
    const key = `/${object.metadata.name}`;
    if (type === 'DELETED') delete state.dueAt[key];
    else if (object.metadata.deletionTimestamp !== undefined) lookAgain(state, key, waitMs, context);
  },
  sync,
  build,
  replied: (_state, _key, { response }) => response.code === 404,
});

function lookAgain(state: NamespaceState, key: string, afterMs: number, context: Context): void {
  const at = context.now + afterMs;
  const known = state.dueAt[key];
  if (known !== undefined && known > context.now && known <= at) return;
  state.dueAt[key] = at;
  enqueueAfter(key, afterMs, context);
}

/** Pods go first, then everything else. Upstream: namespaced_resources_deleter.go Delete, deleteAllContent (OrderedNamespaceDeletion). */
function sync(_state: NamespaceState, key: string, { view, live }: Context): Step[] {
  const { name } = splitQueueKey(key);
  const found = view.get('namespaces', undefined, name);
  if (found?.metadata.deletionTimestamp === undefined) return [];
  const pods = live.list('pods', name);
  const steps: Step[] = [];
  if (pods.length > 0) {
    steps.push(clear(name, 'pods'));
    // Waiting for pods to end: the rest stays until they are gone.
    if (pods.some((pod) => pod.spec.nodeName !== undefined)) return [...steps, { kind: 'status', requests: [], data: { pods: pods.map(graceOf) } }];
  }
  for (const { resource } of namespaced) if (resource !== 'pods' && live.count(resource, name) > 0) steps.push(clear(name, resource));
  return [...steps, { kind: 'status', requests: [], data: {} }, { kind: 'finalize', requests: [] }];
}

const clear = (namespaceName: string, resource: ResourceName): Step => ({
  kind: 'clear', requests: [{ verb: 'deletecollection', resource, namespace: namespaceName, options: { propagationPolicy: 'Background' } }],
});

const graceOf = ({ spec, status }: Pod): number => (status.phase === 'Succeeded' || status.phase === 'Failed' ? 0 : (spec.terminationGracePeriodSeconds ?? 30));

function build(state: NamespaceState, key: string, { kind, data }: Step, context: Context) {
  const { name } = splitQueueKey(key);
  const found = context.live.get('namespaces', undefined, name);
  if (found === undefined) return [];
  if (kind === 'finalize') {
    if (remains(context.live, name).length > 0) return [];
    const object: Namespace = { ...found, spec: { finalizers: (found.spec?.finalizers ?? []).filter((finalizer) => finalizer !== 'kubernetes') } };
    return [{ verb: 'update' as const, resource: 'namespaces' as const, name, subresource: 'finalize' as const, object }];
  }
  const findings = inspect(found, context, (data as { pods?: number[] }).pods);
  if (findings.error !== undefined) lookAgain(state, key, waitMs, context);
  else if (findings.estimate > 0) lookAgain(state, key, (Math.floor(findings.estimate / 2) + 1) * 1000, context);
  else if (Object.keys(findings.remaining).length > 0) lookAgain(state, key, waitMs, context);
  const conditions = conditionsFor(found, findings, context.timestamp);
  if (samePlain(conditions, found.status?.conditions ?? [])) return [];
  return [{ verb: 'update' as const, resource: 'namespaces' as const, name, subresource: 'status' as const, object: { ...found, status: { ...found.status, conditions } } }];
}

const remains = (live: View, name: string): ResourceName[] =>
  namespaced.filter(({ resource }) => resource !== 'events' && live.count(resource, name) > 0).map(({ resource }) => resource);

/** Upstream: deleteAllContentForGroupVersionResource. */
function inspect(found: Namespace, { live, epochMs }: Context, graces: number[] | undefined): Findings {
  const { name, deletionTimestamp = '' } = found.metadata;
  const findings: Findings = { estimate: 0, remaining: {}, finalizers: {} };
  const age = epochMs - (parseRfc3339(deletionTimestamp) ?? 0);
  const looked: readonly ResourceName[] = graces === undefined ? remains(live, name) : ['pods'];
  for (const resource of looked) {
    if (live.count(resource, name) === 0) continue;
    const estimate = resource === 'pods' ? Math.max(0, ...(graces ?? [])) : 0;
    const objects = live.list(resource, name);
    const held = objects.filter(({ metadata }) => (metadata.finalizers ?? []).length > 0);
    for (const { metadata } of held) for (const finalizer of metadata.finalizers ?? []) findings.finalizers[finalizer] = (findings.finalizers[finalizer] ?? 0) + 1;
    if (estimate > 0 && age < estimate * 1000) {
      findings.estimate = Math.max(findings.estimate, estimate);
      continue;
    }
    if (held.length > 0 && held.length === objects.length) {
      findings.remaining[`${resource.includes('.') ? resource : `${resource}.`}`] = objects.length;
      continue;
    }
    const info = resourceInfo(resource);
    const gvr = `${info.group === '' ? '' : info.group}/${apiVersionOf(info).split('/').at(-1)}, Resource=${info.plural}`;
    findings.error = `Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: ${name} for gvr: ${gvr}`;
  }
  return findings;
}

/** Upstream: pkg/controller/namespace/deletion/status_condition_utils.go. */
function conditionsFor(found: Namespace, { error, remaining, finalizers }: Findings, timestamp: string): NamespaceCondition[] {
  const counts = (record: Record<string, number>, text: (name: string, count: number) => string) => Object.keys(record).sort(compareText).map((name) => text(name, record[name] as number)).join(', ');
  const left = counts(remaining, (name, count) => `${name} has ${count} resource instances`);
  const held = counts(finalizers, (name, count) => `${name} in ${count} resource instances`);
  const rows: [string, boolean, string, string][] = [
    ['NamespaceDeletionDiscoveryFailure', false, 'ResourcesDiscovered', 'All resources successfully discovered'],
    ['NamespaceDeletionGroupVersionParsingFailure', false, 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
    error === undefined
      ? ['NamespaceDeletionContentFailure', false, 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization']
      : ['NamespaceDeletionContentFailure', true, 'ContentDeletionFailed', error],
    left === ''
      ? ['NamespaceContentRemaining', false, 'ContentRemoved', 'All content successfully removed']
      : ['NamespaceContentRemaining', true, 'SomeResourcesRemain', `Some resources are remaining: ${left}`],
    left === '' || held === ''
      ? ['NamespaceFinalizersRemaining', false, 'ContentHasNoFinalizers', 'All content-preserving finalizers finished']
      : ['NamespaceFinalizersRemaining', true, 'SomeFinalizersRemain', `Some content in the namespace has finalizers remaining: ${held}`],
  ];
  let conditions = found.status?.conditions ?? [];
  for (const [type, status, reason, message] of rows) conditions = setCondition(conditions, { type, status: status ? 'True' : 'False', lastTransitionTime: timestamp, reason, message });
  return conditions;
}
