import { formatQuantity, quantityToNumber } from '../../api/quantity.ts';
import type { Pod } from '../../api/schema/types.ts';
import { nodeEvent, reportNode } from './node-status.ts';
import { podEvent } from './pod-spec.ts';
import { terminate, wake } from './pod-workers.ts';
import type { Env, PodWorker } from './state.ts';

const loopMs = 10_000;
const transitionMs = 300_000;
/** Upstream: evictionHard memory.available<100Mi. */
const hardBytes = 100 * 1024 * 1024;

/** Each pod's volumes are measured about once in 90 s, first when a loop of a minute has met the pod. Upstream: server/stats/fs_resource_analyzer.go. */
const measureMs = 90_000;

/** Usage changed somewhere: the manager's next look after it was measured is worth taking. */
export function usageChanged(env: Env, worker: PodWorker | undefined): void {
  const { ctx, state } = env;
  if (worker !== undefined && limitsUsage(worker.pod)) {
    const first = worker.seenAt + state.measurePhase;
    const at = ctx.now < first ? first : first + (Math.floor((ctx.now - first) / measureMs) + 1) * measureMs;
    ctx.schedule({ afterMs: at - ctx.now, kind: 'measured', key: `measured ${worker.uid}` });
  }
  if (worker !== undefined) recount(env, worker);
  if (state.nodeLoop.pressure !== null || (state.memoryInUse > quantityToNumber(env.node.memory) && memoryShort(env))) nextLook(env);
}

export function nextLook({ ctx, state }: Env): void {
  ctx.schedule({ afterMs: loopMs - ((((ctx.now - state.syncPhase) % loopMs) + loopMs) % loopMs), kind: 'eviction', key: 'eviction' });
}

const limitsUsage = ({ spec }: Pod) => spec.volumes?.some((volume) => volume.emptyDir?.sizeLimit !== undefined && volume.emptyDir.sizeLimit !== '0') ?? false;

const memoryOf = (env: Env, worker: PodWorker): number =>
  worker.snapshot.containers.reduce((sum, record) => (record.state === 'running' ? sum + (env.ctx.runtime(env.node.name)?.memoryUsage(record.id) ?? 0) : sum), 0);

/** The node's sum follows one pod at a time. */
function recount(env: Env, worker: PodWorker): void {
  const bytes = memoryOf(env, worker);
  env.state.memoryInUse += bytes - worker.memoryBytes;
  worker.memoryBytes = bytes;
}

const available = (env: Env): number => quantityToNumber(env.node.memory) + hardBytes - Object.values(env.state.pods).reduce((sum, worker) => sum + memoryOf(env, worker), 0);

const memoryShort = (env: Env): boolean => available(env) < hardBytes;

/** Upstream: pkg/kubelet/eviction/eviction_manager.go synchronize: local storage first, then one pod for a node in need. */
export function evict(env: Env): void {
  if (env.state.stopped) return;
  for (const worker of Object.values(env.state.pods)) if (worker.work === 'sync' && overLimit(env, worker)) return;
  memoryPressure(env);
}

function overLimit(env: Env, worker: PodWorker): boolean {
  const view = env.ctx.runtime(env.node.name);
  for (const { name, emptyDir } of worker.pod.spec.volumes ?? []) {
    if (emptyDir?.sizeLimit === undefined || emptyDir.sizeLimit === '0') continue;
    if ((view?.volumeUsage(worker.uid, name) ?? 0) <= quantityToNumber(String(emptyDir.sizeLimit))) continue;
    evictPod(env, worker, `Usage of EmptyDir volume "${name}" exceeds the limit "${String(emptyDir.sizeLimit)}". `, false);
    return true;
  }
  return false;
}

function memoryPressure(env: Env): void {
  const { nodeLoop } = env.state;
  const { now } = env.ctx;
  const free = available(env);
  if (free >= hardBytes) {
    if (nodeLoop.pressure === null) return;
    if (now - nodeLoop.pressure.lastSeen < transitionMs) env.ctx.schedule({ afterMs: transitionMs - (now - nodeLoop.pressure.lastSeen), kind: 'eviction', key: 'eviction' });
    else {
      nodeLoop.pressure = null;
      reportNode(env, 'change');
    }
    return;
  }
  const first = nodeLoop.pressure === null;
  nodeLoop.pressure = { since: nodeLoop.pressure?.since ?? now, lastSeen: now };
  if (first) reportNode(env, 'change');
  nodeEvent(env, 'Warning', 'EvictionThresholdMet', 'Attempting to reclaim memory');
  const victim = rank(env)[0];
  if (victim !== undefined) evictPod(env, victim, memoryMessage(env, victim, free), true);
  env.ctx.schedule({ afterMs: loopMs, kind: 'eviction', key: 'eviction' });
}

const requestOf = ({ pod }: PodWorker): number => pod.spec.containers.reduce((sum, { resources }) => sum + quantityToNumber(String(resources?.requests?.memory ?? '0')), 0);

/** Over its request, then lower priority, then furthest over. Upstream: rankMemoryPressure. */
function rank(env: Env): PodWorker[] {
  const candidates = Object.values(env.state.pods).filter(({ work, pod }) => work === 'sync' && (pod.spec.priority ?? 0) < 2_000_000_000);
  const excess = new Map(candidates.map((worker) => [worker.uid, memoryOf(env, worker) - requestOf(worker)]));
  const over = (worker: PodWorker) => excess.get(worker.uid) ?? 0;
  return candidates.sort((a, b) => Number(over(b) > 0) - Number(over(a) > 0) || (a.pod.spec.priority ?? 0) - (b.pod.spec.priority ?? 0) || over(b) - over(a));
}

const binary = (bytes: number): string => formatQuantity({ nano: BigInt(Math.ceil(bytes / 1024) * 1024) * 1_000_000_000n, format: 'BinarySI' });

function memoryMessage(env: Env, worker: PodWorker, free: number): string {
  let text = `The node was low on resource: memory. Threshold quantity: 100Mi, available: ${binary(Math.max(0, free))}. `;
  for (const { name, resources } of worker.pod.spec.containers) {
    const record = worker.snapshot.containers.find((item) => item.name === name && item.state === 'running');
    const usage = record === undefined ? 0 : (env.ctx.runtime(env.node.name)?.memoryUsage(record.id) ?? 0);
    const request = String(resources?.requests?.memory ?? '0');
    if (usage > quantityToNumber(request)) text += `Container ${name} was using ${binary(usage)}, request is ${request}, has larger consumption of memory. `;
  }
  return text;
}

function evictPod(env: Env, worker: PodWorker, message: string, disruption: boolean): void {
  podEvent(env, worker.pod, 'Warning', 'Evicted', message);
  terminate(env, worker, { phase: 'Failed', reason: 'Evicted', message, disruption, graceSeconds: 1 });
  wake(env, worker);
}
