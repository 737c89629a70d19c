import type { Pod, Volume } from '../../../api/schema/types.ts';
import { nextId } from '../calls.ts';
import type { VolumeCommand, VolumeFile } from '../cri.ts';
import { volumeTimeoutMs } from '../options.ts';
import { podEvent } from '../pod-spec.ts';
import { proceed, type Outcome } from '../run.ts';
import type { Env, PodWorker, Run, Step } from '../state.ts';
import { claimProblem, volumeContent, volumeKind } from './content.ts';

const retryMs = 500;
const retryMaxMs = 122_000;

/** The volumes that some container mounts: no other is processed. */
export function neededVolumes(pod: Pod): Volume[] {
  const used = new Set<string>();
  for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers, ...(pod.spec.ephemeralContainers ?? [])]) {
    for (const { name } of container.volumeMounts ?? []) used.add(name);
  }
  return (pod.spec.volumes ?? []).filter(({ name }) => used.has(name));
}

/** Upstream: pkg/kubelet/volumemanager WaitForAttachAndMount. */
export function volumesReady(env: Env, worker: PodWorker, run: Run, step: Step): Outcome {
  noteOnce(env, worker, 'directories');
  if (worker.volumesReady) {
    refresh(env, worker);
    return 'done';
  }
  if (step.stage === 'begin') {
    const needed = neededVolumes(worker.pod);
    if (claimsMissing(env, worker, run, needed)) return 'abort';
    if (needed.length === 0) return allMounted(env, worker);
    step.stage = 'waiting';
    startMounts(env, worker, needed);
    return 'wait';
  }
  if (env.ctx.now - run.startedAt < volumeTimeoutMs) return 'wait';
  run.failed = true;
  return 'abort';
}

function noteOnce(env: Env, worker: PodWorker, what: 'directories' | 'volumes'): void {
  if (worker.steps[what]) return;
  worker.steps[what] = true;
  env.ctx.note('pod-step', { podUid: worker.uid, step: what === 'directories' ? 'data-directories' : 'volumes' });
}

function allMounted(env: Env, worker: PodWorker): Outcome {
  worker.volumesReady = true;
  noteOnce(env, worker, 'volumes');
  return 'done';
}

function claimsMissing(env: Env, worker: PodWorker, run: Run, needed: readonly Volume[]): boolean {
  const problems = needed.flatMap((volume) => {
    const text = claimProblem(env, worker.pod, volume);
    return text === undefined ? [] : [{ name: volume.name, text }];
  });
  if (problems.length === 0) return false;
  const names = problems.map(({ name }) => name).join(' ');
  const message = `Unable to attach or mount volumes: unmounted volumes=[${names}], unattached volumes=[], failed to process volumes=[${names}]: ${problems.map(({ text }) => text).join('; ')}`;
  podEvent(env, worker.pod, 'Warning', 'FailedMount', message);
  run.failed = true;
  return true;
}

function startMounts(env: Env, worker: PodWorker, needed: readonly Volume[]): void {
  const { ctx } = env;
  const dueAt = ctx.now + ctx.random('volumes').between(60, 260);
  for (const volume of needed) {
    if (worker.volumes[volume.name] !== undefined) continue;
    worker.volumes[volume.name] = { stage: 'mounting', dueAt, attempts: 0, version: '' };
    ctx.note('volume', { podUid: worker.uid, volume: volume.name, kind: volumeKind(volume), phase: 'mounting' });
  }
  scheduleMounts(env, worker);
}

function scheduleMounts(env: Env, worker: PodWorker): void {
  const due = Object.values(worker.volumes).filter(({ stage }) => stage === 'mounting').map(({ dueAt }) => dueAt);
  if (due.length === 0) return;
  const afterMs = Math.max(0, Math.min(...due) - env.ctx.now);
  env.ctx.schedule({ afterMs, kind: 'mount', key: `mount ${worker.uid}`, payload: { uid: worker.uid } });
}

/** The reconciler's turn: tries what is due. Each failure doubles that volume's wait. */
export function tryMounts(env: Env, worker: PodWorker): void {
  const { ctx } = env;
  if (worker.work !== 'sync') return;
  for (const volume of neededVolumes(worker.pod)) {
    const state = worker.volumes[volume.name];
    if (state?.stage !== 'mounting' || state.dueAt > ctx.now) continue;
    const content = volumeContent(env, worker, volume);
    if ('error' in content) {
      podEvent(env, worker.pod, 'Warning', 'FailedMount', `MountVolume.SetUp failed for volume "${volume.name}" : ${content.error}`);
      ctx.note('volume', { podUid: worker.uid, volume: volume.name, kind: volumeKind(volume), phase: 'failed', message: content.error });
      let waitMs = retryMs;
      for (let i = 0; i < state.attempts && waitMs < retryMaxMs; i++) waitMs *= 2;
      state.attempts++;
      state.dueAt = ctx.now + Math.min(waitMs, retryMaxMs) + ctx.random('volumes').below(100);
    } else {
      state.stage = 'mounted';
      state.version = content.version;
      put(env, worker, volume, content.files);
      ctx.note('volume', { podUid: worker.uid, volume: volume.name, kind: volumeKind(volume), phase: 'mounted' });
    }
  }
  scheduleMounts(env, worker);
  if (neededVolumes(worker.pod).every(({ name }) => worker.volumes[name]?.stage === 'mounted')) allMounted(env, worker);
  if (worker.run?.steps[0]?.do === 'volumes') proceed(env, worker);
}

function put(env: Env, worker: PodWorker, volume: Volume, files: VolumeFile[] | undefined): void {
  const payload: VolumeCommand = { podUid: worker.uid, volume: volume.name, files, kind: volumeKind(volume) };
  env.ctx.schedule({ to: `container-runtime/${env.node.name}`, afterMs: 0, kind: 'volume', payload });
}

/** Whether a volume's files may change while the pod lives without the pod's object changing. */
export function changesLater(volume: Volume): boolean {
  if (volume.configMap !== undefined || volume.secret !== undefined) return true;
  return volume.projected?.sources?.some(({ configMap, secret }) => secret !== undefined || (configMap !== undefined && configMap.name !== 'kube-root-ca.crt')) ?? false;
}

/** The downward API follows the pod's own labels and annotations. */
const mayChange = (volume: Volume): boolean =>
  changesLater(volume) || volume.downwardAPI !== undefined
  || (volume.projected?.sources?.some((source) => source.downwardAPI?.items?.some((item) => item.fieldRef !== undefined && item.fieldRef.fieldPath !== 'metadata.namespace')) ?? false);

/** A sync brings changed ConfigMaps and Secrets into the mounted files. */
function refresh(env: Env, worker: PodWorker): void {
  for (const volume of worker.pod.spec.volumes ?? []) {
    const state = worker.volumes[volume.name];
    if (state?.stage !== 'mounted' || !mayChange(volume)) continue;
    const content = volumeContent(env, worker, volume);
    if ('error' in content || content.version === state.version) continue;
    state.version = content.version;
    put(env, worker, volume, content.files);
  }
}

/** Upstream: WaitForUnmount, then the directories are removed. */
export function unmountAll(env: Env, worker: PodWorker, run: Run, step: Step): Outcome {
  const { ctx } = env;
  const mounted = (worker.pod.spec.volumes ?? []).filter(({ name }) => worker.volumes[name] !== undefined);
  if (mounted.length === 0) return 'done';
  if (step.stage !== 'begin' && run.reply === undefined) return 'wait';
  if (step.stage === 'begin') {
    step.stage = 'unmounting';
    run.waitsFor = nextId(env, worker.uid, 'run');
    ctx.schedule({ afterMs: ctx.random('volumes').between(60, 250), kind: 'timer', payload: { id: run.waitsFor } });
    return 'wait';
  }
  for (const volume of mounted) {
    put(env, worker, volume, undefined);
    ctx.note('volume', { podUid: worker.uid, volume: volume.name, kind: volumeKind(volume), phase: 'unmounted' });
  }
  worker.volumes = {};
  return 'done';
}
