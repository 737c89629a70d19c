import { invalid, notSupported, required, errorText } from '../../api/meta/field-error.ts';
import { badRequest, conflict, invalidStatus, isStatus, notFoundStatus } from '../../api/meta/status.ts';
import { formatLabels, formatLabelSelector } from '../../api/meta/selectors.ts';
import { setCondition } from '../../api/meta/conditions.ts';
import { keyOf, type ApiObject } from '../../api/resources.ts';
import type { Deployment, LabelSelector, Namespace, Node, Pod, PodCondition, Status } from '../../api/schema/types.ts';
import { decodeStruct } from '../../api/decode.ts';
import { formatRfc3339 } from '../../sim/time.ts';
import type { ApiResponse } from '../component.ts';
import { deleteOne, deleteObject } from './delete.ts';
import type { Call, Outcome } from './environment.ts';
import { evict } from './eviction.ts';
import { patch, patchedObject } from './patch.ts';
import { get } from './read.ts';
import { finishUpdate, plainError, update, updateDecoded } from './update.ts';
import { stored, thaw, write } from './write.ts';

export const success = (code: number): Status => ({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code });

const answer = (outcome: Outcome, code = 200): ApiResponse =>
  isStatus(outcome) ? { code: outcome.code ?? code, status: outcome } : { code, object: outcome };

/** Requests to a subresource. Upstream: each kind's pkg/registry/.../storage. */
export function handleSubresource(call: Call): ApiResponse {
  switch (call.subresource) {
    case 'binding': return bind(call);
    case 'eviction': return evict(call);
    case 'scale': return scale(call);
    case 'finalize': return finalize(call);
    case 'token': return token(call);
    default: return ordinary(call);
  }
}

/** status, ephemeralcontainers, resize: the whole object goes in and out, one part is taken. */
function ordinary(call: Call): ApiResponse {
  const { verb } = call.request;
  if (verb === 'get') return get(call);
  return answer(verb === 'patch' ? patch(call) : update(call));
}

/** The scheduler's decision. Upstream: pkg/registry/core/pod/storage/storage.go assignPod, setPodHostAndAnnotations. */
function bind(call: Call): ApiResponse {
  const binding = call.request.object as { metadata?: { name?: string; uid?: string; annotations?: Record<string, string> }; target?: { kind?: string; name?: string } } | undefined;
  const target = binding?.target ?? {};
  if (!call.caller.inside) {
    if (binding?.metadata?.name !== call.name) return answer(badRequest('name in URL does not match name in Binding object'));
    if (target.kind !== undefined && target.kind !== '' && target.kind !== 'Node') {
      return answer(plainError(errorText(notSupported('target.kind', target.kind, ['Node', '<empty>'], false))));
    }
    if (!target.name) return answer(plainError(errorText(required('target.name'))));
  }
  const pod = stored(call) as Pod | undefined;
  if (pod === undefined) return answer(notFoundStatus(call.info, call.name));
  const why = whyNotBindable(pod, binding?.metadata?.uid);
  if (why !== undefined) return answer(conflict({ plural: 'pods/binding', group: '', kind: '' }, call.name, why));
  const scheduled: PodCondition = {
    type: 'PodScheduled', status: 'True', lastTransitionTime: formatRfc3339(call.env.epochMs),
  };
  const { nominatedNodeName: _, ...status } = pod.status;
  const nodeName = target.name ?? '';
  const labels = { ...pod.metadata.labels, ...topologyLabels(call, nodeName) };
  write(call, {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
      ...(binding?.metadata?.annotations === undefined ? {} : { annotations: { ...pod.metadata.annotations, ...binding.metadata.annotations } }),
    },
    spec: { ...pod.spec, nodeName },
    status: { ...status, conditions: setCondition(pod.status.conditions, scheduled) },
  } as ApiObject, pod as ApiObject);
  return { code: 201, status: success(201) };
}

function whyNotBindable(pod: Pod, uid: string | undefined): string | undefined {
  const { name, deletionTimestamp } = pod.metadata;
  if (uid !== undefined && uid !== '' && uid !== pod.metadata.uid) {
    return `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid ?? ''}`;
  }
  if (deletionTimestamp !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (pod.spec.nodeName) return `pod ${name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`;
  if ((pod.spec.schedulingGates?.length ?? 0) > 0) return `pod ${name} has non-empty .spec.schedulingGates`;
  return undefined;
}

/** Upstream: plugin/pkg/admission/podtopologylabels: zone and region of the node come along. */
function topologyLabels(call: Call, nodeName: string): Record<string, string> {
  const node = call.env.store.get(keyOf('nodes', undefined, nodeName)) as Node | undefined;
  const found: Record<string, string> = {};
  for (const key of ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region']) {
    const value = node?.metadata.labels?.[key];
    if (value !== undefined) found[key] = value;
  }
  return found;
}

interface Scale {
  apiVersion: 'autoscaling/v1';
  kind: 'Scale';
  metadata: ApiObject['metadata'];
  spec: { replicas?: number };
  status: { replicas: number; selector?: string };
}

function scaleOf(object: Deployment, kind: string): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = kind === 'ReplicationController' ? formatLabels(object.spec.selector as unknown as Record<string, string>) : formatLabelSelector(object.spec.selector as LabelSelector);
  const replicas = object.spec.replicas ?? 0;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: thaw({ name, namespace, uid, resourceVersion, creationTimestamp }) as ApiObject['metadata'],
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: object.status.replicas ?? 0, ...(selector === '<none>' ? {} : { selector }) },
  };
}

/** Upstream: pkg/registry/apps/deployment/storage ScaleREST. */
function scale(call: Call): ApiResponse {
  const object = stored(call);
  if (object === undefined) return answer(notFoundStatus(call.info, call.name));
  const current = scaleOf(object as Deployment, call.info.kind);
  const { verb } = call.request;
  if (verb === 'get') return { code: 200, object: current as unknown as ApiObject };
  const asked = verb === 'patch' ? patchedObject(call, current as unknown as ApiObject, 'Scale') : readScale(call);
  if (isStatus(asked)) return answer(asked);
  const { spec, metadata } = asked as unknown as Scale;
  const replicas = spec?.replicas ?? 0;
  if (metadata.name !== call.name) {
    return answer(metadata.name ? badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${call.name})`)
      : badRequest(`the name of the object (${call.name} based on URL) was undeterminable: name must be provided`));
  }
  if (replicas < 0) {
    return answer(invalidStatus({ kind: 'Scale', group: 'autoscaling' }, call.name, [invalid('spec.replicas', replicas, 'must be greater than or equal to 0')]));
  }
  if (metadata.resourceVersion && metadata.resourceVersion !== object.metadata.resourceVersion) return answer(conflict(call.info, call.name));
  const { subresource: _, ...whole } = call;
  const next = { ...object, spec: { ...(object as Deployment).spec, replicas } } as ApiObject;
  const outcome = updateDecoded({ ...whole, subresource: undefined, caller: { ...call.caller, inside: true } }, next, object);
  return isStatus(outcome) ? answer(outcome) : { code: 200, object: scaleOf(outcome as Deployment, call.info.kind) as unknown as ApiObject };
}

function readScale(call: Call): Outcome {
  if (call.caller.inside) return call.request.object as ApiObject;
  const decoded = decodeStruct('Scale', call.request.object);
  if (decoded.error !== undefined) return badRequest(`Scale in version "v1" cannot be handled as a Scale: ${decoded.error}`);
  return { metadata: {}, ...decoded.value } as unknown as ApiObject;
}

/** The namespace controller's last word. Upstream: pkg/registry/core/namespace/storage FinalizeREST. */
function finalize(call: Call): ApiResponse {
  const old = stored(call) as Namespace | undefined;
  if (old === undefined) return answer(notFoundStatus(call.info, call.name));
  const asked = call.request.object as Namespace | undefined;
  const finalizers = asked?.spec?.finalizers ?? [];
  const next = { ...old, spec: finalizers.length > 0 ? { finalizers } : {} } as ApiObject;
  const done = finalizers.length === 0 && old.metadata.deletionTimestamp !== undefined && (old.metadata.finalizers?.length ?? 0) === 0;
  if (!done) return answer(finishUpdate(call, next, old as ApiObject));
  const last = write(call, next, old as ApiObject);
  const { subresource: _, ...whole } = call;
  deleteOne({ ...whole, subresource: undefined });
  return { code: 200, object: last };
}

/** A token for a service account: no real one is made. */
function token(call: Call): ApiResponse {
  const account = stored(call);
  if (account === undefined) return answer(notFoundStatus(call.info, call.name));
  const seconds = (call.request.object as { spec?: { expirationSeconds?: number } } | undefined)?.spec?.expirationSeconds ?? 3600;
  if (seconds < 600) {
    const error = invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 10 minutes');
    return answer(invalidStatus({ kind: 'TokenRequest', group: 'authentication.k8s.io' }, '', [error]));
  }
  return {
    code: 201,
    object: {
      kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1',
      metadata: { name: call.name, namespace: call.namespace, creationTimestamp: formatRfc3339(call.env.epochMs) },
      spec: { audiences: ['https://kubernetes.default.svc.cluster.local'], expirationSeconds: seconds, boundObjectRef: null },
      status: { token: `simulated-${account.metadata.uid ?? ''}`, expirationTimestamp: formatRfc3339(call.env.epochMs + seconds * 1000) },
    } as unknown as ApiObject,
  };
}

export { deleteObject };
