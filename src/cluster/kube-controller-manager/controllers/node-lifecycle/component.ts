import { findCondition } from '../../../../api/meta/conditions.ts';
import type { Lease, Node, NodeCondition, Pod, PodCondition, Taint } from '../../../../api/schema/types.ts';
import type { SimEvent } from '../../../../sim/queue.ts';
import type { ApiResponse, Component, Context, WatchChange } from '../../../component.ts';
import { controller, createControllerState, enqueue, enqueueAfter, regarding, type ControllerState, type Step } from '../../controller.ts';
import { splitQueueKey } from '../../workqueue.ts';
import { evictionTaint, executeTaints, hasTaint, readyStatus, scheduleTaints } from './taints.ts';

/** Upstream: cmd/kube-controller-manager defaults (nodeMonitorPeriod, nodeMonitorGracePeriod, nodeStartupGracePeriod, nodeEvictionRate). */
const periodMs = 5000;
const graceMs = 50_000;
const startupGraceMs = 60_000;
const taintSpacingMs = 10_000;
const largeCluster = 50;
const unhealthyShare = 0.55;

interface Health {
  /** The monitor's tick that saw the node's last sign of life. */
  seenAt: number;
  /** What the monitor saw at its last look: '' before the first. */
  ready: string;
}

export interface NodeLifecycleState extends ControllerState {
  /** When in each period the monitor looks. */
  phase: number;
  health: Record<string, Health>;
  /** By zone: when the next node may be tainted. */
  nextTaintAt: Record<string, number>;
}

export const nodeLifecycle: Component<NodeLifecycleState> = controller<NodeLifecycleState>({
  reportsAs: 'node-controller',
  watches: [{ resource: 'nodes' }, { resource: 'leases.coordination.k8s.io' }, { resource: 'pods' }],
  start: (context) => ({ ...createControllerState(), phase: context.random('phase').below(periodMs), health: {}, nextTaintAt: {} }),
  observe: (state, change, context) => {
    if (change.resource === 'nodes') observeNode(state, change as WatchChange<'nodes'>, context);
    else if (change.resource === 'leases.coordination.k8s.io') observeLease(state, change as WatchChange<'leases.coordination.k8s.io'>, context);
  },
  sync,
  replied: (_state, _key, { response }) => response.code === 404,
  other,
});

/** The monitor's first tick at or after a time. */
const tickAt = ({ phase }: NodeLifecycleState, time: number): number => Math.ceil((time - phase) / periodMs) * periodMs + phase;

/** Nodes that nobody runs never go stale. */
const isUnattended = ({ metadata }: Node): boolean => metadata.annotations?.['kubelapse.dev/machine'] === 'none' || metadata.labels?.['kubelapse.dev/machine'] === 'none';

function observeNode(state: NodeLifecycleState, { type, object, previous }: WatchChange<'nodes'>, context: Context): void {
  const { name } = object.metadata;
  if (type === 'DELETED') {
    delete state.health[name];
    context.cancel(`health ${name}`);
    atTick(state, 'removed', { node: object }, context);
    return;
  }
  if (type === 'ADDED') {
    state.health[name] = { seenAt: tickAt(state, context.now), ready: readyStatus(object) };
    // A node of before the film is known already.
    if (context.now > 0) atTick(state, 'registered', { name }, context);
    arm(state, object, context);
  } else if (heartbeat(previous) !== heartbeat(object)) seen(state, name, context);
  if (type === 'MODIFIED' && readyStatus(object) !== state.health[name]?.ready) context.schedule({ afterMs: tickAt(state, context.now) - context.now, kind: 'look', payload: { name }, key: `look ${name}` });
  enqueue(state.queue, `/${name}`, context);
}

const heartbeat = (node: Node | undefined): string | undefined => findCondition(node?.status?.conditions, 'Ready')?.lastHeartbeatTime;

function atTick(state: NodeLifecycleState, kind: string, payload: Record<string, unknown>, context: Context): void {
  context.schedule({ afterMs: tickAt(state, context.now) - context.now, kind, payload });
}

function observeLease(state: NodeLifecycleState, { type, object, previous }: WatchChange<'leases.coordination.k8s.io'>, context: Context): void {
  if (object.metadata.namespace !== 'kube-node-lease' || type === 'DELETED') return;
  if (previous === undefined || (previous as Lease).spec?.renewTime !== object.spec?.renewTime) seen(state, object.metadata.name, context);
}

function seen(state: NodeLifecycleState, name: string, context: Context): void {
  const health = state.health[name];
  if (health === undefined) return;
  const late = context.now >= health.seenAt + graceMs;
  health.seenAt = tickAt(state, context.now);
  // The timer of a node that went stale is gone; of all others one is running and looks at seenAt when it fires.
  const node = late ? context.view.get('nodes', undefined, name) : undefined;
  if (node !== undefined) arm(state, node, context);
}

function arm(state: NodeLifecycleState, node: Node, context: Context): void {
  if (isUnattended(node)) return;
  const { name } = node.metadata;
  const health = state.health[name] as Health;
  const grace = findCondition(node.status?.conditions, 'Ready') === undefined ? startupGraceMs : graceMs;
  context.schedule({ afterMs: Math.max(periodMs, health.seenAt + grace - context.now), kind: 'health', payload: { name }, key: `health ${name}` });
}

type Payload = { name: string; node: Node; response: ApiResponse; wasReady: boolean };

function other(state: NodeLifecycleState, event: SimEvent, context: Context): void {
  const { name, node, response, wasReady } = event.payload as Payload;
  switch (event.kind) {
    case 'registered': return nodeEvent(name, 'RegisteredNode', `Node ${name} event: Registered Node ${name} in Controller`, context);
    case 'removed': return report(node, 'RemovingNode', `Node ${node.metadata.name} event: Removing Node ${node.metadata.name} from Controller`, context);
    case 'health': return checkHealth(state, name, context);
    case 'look': return look(state, name, context);
    case 'marked':
      if (response.code < 400) wentUnready(state, name, wasReady, context);
      else context.schedule({ afterMs: periodMs, kind: 'health', payload: { name }, key: `health ${name}` });
  }
}

function nodeEvent(name: string, reason: string, message: string, context: Context): void {
  const node = context.view.get('nodes', undefined, name);
  if (node !== undefined) report(node, reason, message, context);
}

function report(node: Node, reason: string, message: string, context: Context): void {
  const { name, uid } = node.metadata;
  context.event({ regarding: { apiVersion: 'v1', kind: 'Node', name, uid }, type: 'Normal', reason, message });
}

/** Upstream: tryUpdateNodeHealth. */
function checkHealth(state: NodeLifecycleState, name: string, context: Context): void {
  const health = state.health[name];
  const node = context.live.get('nodes', undefined, name);
  if (health === undefined || node === undefined) return;
  if (health.seenAt + graceMs > context.now) return arm(state, node, context);
  const old = node.status?.conditions ?? [];
  const wasReady = readyStatus(node) === 'True';
  if (readyStatus(node) === 'Unknown') return;
  const conditions: NodeCondition[] = old.map((condition) => (watchedConditions.includes(condition.type) ? unknown(condition, context.timestamp) : condition));
  for (const type of watchedConditions) {
    if (findCondition(old, type) !== undefined) continue;
    conditions.push({
      type, status: 'Unknown', reason: 'NodeStatusNeverUpdated', message: 'Kubelet never posted node status.', lastHeartbeatTime: node.metadata.creationTimestamp, lastTransitionTime: context.timestamp,
    });
  }
  context.api(
    { verb: 'update', resource: 'nodes', name, subresource: 'status', object: { ...node, status: { ...node.status, conditions } } },
    { kind: 'marked', payload: { name, wasReady } },
  );
}

const watchedConditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

const unknown = (condition: NodeCondition, timestamp: string): NodeCondition => (condition.status === 'Unknown' ? condition
  : { ...condition, status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.', lastTransitionTime: timestamp });

/** The monitor sees at its tick that the kubelet itself said otherwise than before. */
function look(state: NodeLifecycleState, name: string, context: Context): void {
  const node = context.view.get('nodes', undefined, name);
  const health = state.health[name];
  if (node === undefined || health === undefined) return;
  const ready = readyStatus(node);
  if (health.ready === 'True' && ready === 'False') wentUnready(state, name, true, context);
  health.ready = ready;
  enqueue(state.queue, `/${name}`, context);
}

/** The node is told, and all its pods count as not ready. Upstream: monitorNodeHealth, controllerutil.MarkPodsNotReady. */
function wentUnready(state: NodeLifecycleState, name: string, wasReady: boolean, context: Context): void {
  const health = state.health[name];
  if (health !== undefined) health.ready = 'Unknown';
  if (!wasReady) return;
  nodeEvent(name, 'NodeNotReady', `Node ${name} status is now: NodeNotReady`, context);
  for (const pod of context.view.by('pods', 'node', name)) markNotReady(pod, context);
}

function markNotReady(pod: Pod, context: Context): void {
  const ready = findCondition(pod.status.conditions, 'Ready');
  if (ready === undefined || ready.status === 'False') return;
  const { namespace = '', name, uid } = pod.metadata;
  const condition: PodCondition = { ...ready, status: 'False', lastTransitionTime: context.timestamp };
  context.api({ verb: 'patch', resource: 'pods', namespace, name, subresource: 'status', patch: { type: 'strategic', body: { metadata: { uid }, status: { conditions: [condition] } } } });
  context.event({ regarding: regarding(pod), type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' });
}

/** Keeps a node's taints in step with its conditions. */
function sync(state: NodeLifecycleState, key: string, context: Context): Step[] {
  const { name } = splitQueueKey(key);
  const node = context.view.get('nodes', undefined, name);
  if (node === undefined) return [];
  const taints = scheduleTaints(node, context.timestamp);
  if (taints !== undefined) return [taintStep(node, taints)];
  const wanted = evictionTaint(node);
  // The monitor takes the taint off at its next look.
  if (wanted === undefined && state.health[name]?.ready !== 'True') return [];
  const next = executeTaints(node, wanted, context.timestamp);
  if (next === undefined) return [];
  if (wanted !== undefined && !hasTaint(node, wanted, 'NoExecute')) {
    const swap = (node.spec.taints ?? []).length >= next.length;
    const waitMs = swap ? 0 : taintWait(state, node, context);
    if (waitMs === undefined) return [];
    if (waitMs > 0) {
      enqueueAfter(key, waitMs, context);
      return [];
    }
  }
  return [taintStep(node, next)];
}

function taintStep({ metadata }: Node, taints: Taint[]): Step {
  const body = { metadata: { resourceVersion: metadata.resourceVersion }, spec: { taints: taints.length === 0 ? null : taints } };
  return { kind: 'taint', requests: [{ verb: 'patch', resource: 'nodes', name: metadata.name, patch: { type: 'merge', body } }] };
}

/**
 * How long until this node may be tainted; undefined: not now at all. Upstream: handleDisruption, setLimiterInZone.
 * Simplified: taints that were set before a zone failed wholly stay.
 */
function taintWait(state: NodeLifecycleState, node: Node, context: Context): number | undefined {
  const zone = zoneOf(node);
  const nodes = context.view.list('nodes');
  const zones = new Map<string, { all: number; down: number }>();
  for (const each of nodes) {
    const own = zoneOf(each);
    const counts = zones.get(own) ?? { all: 0, down: 0 };
    counts.all++;
    if (readyStatus(each) !== 'True') counts.down++;
    zones.set(own, counts);
  }
  if ([...zones.values()].every(({ all, down }) => all === down)) return undefined;
  const { all, down } = zones.get(zone) as { all: number; down: number };
  const partial = down < all && down > 2 && down / all >= unhealthyShare;
  if (partial && all <= largeCluster) return undefined;
  const spacing = partial ? 10 * taintSpacingMs : taintSpacingMs;
  const at = Math.max(context.now, state.nextTaintAt[zone] ?? 0);
  if (at > context.now) return at - context.now;
  state.nextTaintAt[zone] = context.now + spacing;
  return 0;
}

const zoneOf = ({ metadata: { labels = {} } }: Node): string => `${labels['topology.kubernetes.io/region'] ?? ''}:${labels['topology.kubernetes.io/zone'] ?? ''}`;
