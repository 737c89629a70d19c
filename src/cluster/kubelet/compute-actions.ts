import type { Container, Pod } from '../../api/schema/types.ts';
import type { ProbeType } from '../notes.ts';
import type { SandboxStatus } from './cri.ts';
import { isSidecar, newestRecord, type ContainerKind } from './pod-spec.ts';
import { matchingRule, mayRestart, restartsAfterKill, shouldStart } from './restart.ts';
import type { KillTarget, KnownContainer } from './state.ts';

type ProbeVerdict = (container: string, containerId: string, probe: ProbeType) => 'success' | 'failure' | 'unknown' | undefined;

/** What the snapshot does not say. */
export interface Findings {
  probe: ProbeVerdict;
  /** Its resources changed in a way that wants a new container. */
  resize: (container: Container) => boolean;
}

export interface PodActions {
  killPod: boolean;
  createSandbox: boolean;
  attempt: number;
  sandboxId: string | undefined;
  start: { name: string; kind: ContainerKind }[];
  kill: KillTarget[];
  restartAll: boolean;
}

export interface RuntimePicture {
  sandboxes: readonly SandboxStatus[];
  containers: readonly KnownContainer[];
}

/** Whether the pod needs a new sandbox. Upstream: pkg/kubelet/kuberuntime/util PodSandboxChanged. */
export function sandboxChange(pod: Pod, { sandboxes }: RuntimePicture): { changed: boolean; attempt: number; id: string | undefined } {
  const latest = sandboxes[0];
  if (latest === undefined) return { changed: true, attempt: 0, id: undefined };
  const ready = sandboxes.filter((sandbox) => sandbox.state === 'ready').length;
  const broken = latest.state !== 'ready' || ready > 1 || (pod.spec.hostNetwork !== true && latest.ip === undefined);
  return { changed: broken, attempt: latest.attempt + (broken ? 1 : 0), id: latest.id };
}

/** What a sync has to do. Upstream: pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions. */
export function computeActions(pod: Pod, picture: RuntimePicture, findings: Findings): PodActions {
  const { changed, attempt, id } = sandboxChange(pod, picture);
  const actions: PodActions = { killPod: changed, createSandbox: changed, attempt, sandboxId: id, start: [], kill: [], restartAll: false };
  if (changed) return afterSandboxChange(pod, picture, actions);
  if (wantsRestartAll(pod, picture.containers)) return { ...actions, restartAll: true };
  for (const { name } of pod.spec.ephemeralContainers ?? []) {
    if (newestRecord(picture.containers, name) === undefined) actions.start.push({ name, kind: 'ephemeral' });
  }
  const initialized = initActions(pod, picture.containers, findings.probe, actions);
  if (!actions.killPod && initialized) appActions(pod, picture.containers, findings, actions);
  return actions;
}

function afterSandboxChange(pod: Pod, { containers }: RuntimePicture, actions: PodActions): PodActions {
  const { restartPolicy = 'Always' } = pod.spec;
  if (restartPolicy === 'Never' && actions.attempt !== 0 && containers.length > 0) return { ...actions, createSandbox: false };
  const succeeded = (name: string) => {
    const record = newestRecord(containers, name);
    return record?.state === 'exited' && record.exitCode === 0;
  };
  const apps = pod.spec.containers.filter(({ name }) => restartPolicy !== 'OnFailure' || !succeeded(name));
  if (apps.length === 0) return { ...actions, createSandbox: false };
  const first = pod.spec.initContainers?.[0];
  if (first !== undefined) actions.start.push({ name: first.name, kind: isSidecar(first) ? 'sidecar' : 'init' });
  else for (const { name } of apps) actions.start.push({ name, kind: 'app' });
  return actions;
}

/** An exit met a RestartAllContainers rule and its container was not removed yet. */
export function wantsRestartAll(pod: Pod, records: readonly KnownContainer[]): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  return [...(pod.spec.initContainers ?? []), ...pod.spec.containers].some((container) => {
    if (container.restartPolicyRules === undefined) return false;
    const record = newestRecord(records, container.name);
    return record?.state === 'exited' && matchingRule(container, record.exitCode)?.action === 'RestartAllContainers';
  });
}

/** Upstream: computeInitContainerActions. Returns whether initialization is complete. */
function initActions(pod: Pod, records: readonly KnownContainer[], verdict: ProbeVerdict, actions: PodActions): boolean {
  const inits = pod.spec.initContainers ?? [];
  if (inits.length === 0) return true;
  let initialized = pod.spec.containers.some(({ name }) => newestRecord(records, name) !== undefined);
  let passed = initialized;
  const wanted: number[] = [];
  let seen = initialized;
  for (let i = inits.length - 1; i >= 0; i--) {
    const container = inits[i] as Container;
    const record = newestRecord(records, container.name);
    const sidecar = isSidecar(container);
    if (record === undefined) {
      if (passed && sidecar) wanted.push(i);
      continue;
    }
    seen = true;
    if (passed && !sidecar) continue;
    const outcome = sidecar ? sidecarState(container, record, verdict, actions) : initState(container, pod, record);
    if (outcome === 'fatal') {
      actions.killPod = true;
      return false;
    }
    if (outcome === 'start' || outcome === 'done-and-start') wanted.push(i);
    if (outcome === 'done' || outcome === 'done-and-start') {
      if (i === inits.length - 1) initialized = true;
      else if (!passed) wanted.push(i + 1);
    }
    passed = true;
  }
  if (!seen) wanted.push(0);
  wanted.sort((a, b) => a - b);
  for (const i of wanted) {
    const container = inits[i] as Container;
    actions.start.push({ name: container.name, kind: isSidecar(container) ? 'sidecar' : 'init' });
  }
  return initialized;
}

type InitOutcome = 'wait' | 'start' | 'done' | 'done-and-start' | 'fatal';

function initState(container: Container, pod: Pod, record: KnownContainer): InitOutcome {
  if (record.state === 'running') return 'wait';
  if (record.state !== 'exited') return 'start';
  if (record.exitCode === 0) return 'done';
  return mayRestart(container, pod, record.exitCode) ? 'start' : 'fatal';
}

function sidecarState(container: Container, record: KnownContainer, verdict: ProbeVerdict, actions: PodActions): InitOutcome {
  if (record.state !== 'running') return 'start';
  const restart = (message: string, probe?: ProbeType) => {
    actions.kill.push({ containerId: record.id, name: container.name, message: `Init container ${container.name} ${message}`, ...(probe === undefined ? {} : { probe }) });
  };
  if (container.startupProbe !== undefined) {
    const startup = verdict(container.name, record.id, 'startup');
    if (startup === 'failure') {
      restart('failed startup probe', 'startup');
      return 'start';
    }
    if (startup !== 'success') return 'wait';
  }
  if (verdict(container.name, record.id, 'liveness') === 'failure') {
    restart('failed liveness probe', 'liveness');
    return 'done-and-start';
  }
  if (imageChanged(container, record)) {
    restart('definition changed');
    return 'done-and-start';
  }
  return 'done';
}

function appActions(pod: Pod, records: readonly KnownContainer[], findings: Findings, actions: PodActions): void {
  let kept = 0;
  let starting = 0;
  for (const container of pod.spec.containers) {
    const record = newestRecord(records, container.name);
    if (record?.state !== 'running') {
      if (!shouldStart(container, pod, records)) continue;
      if (record?.state === 'unknown') actions.kill.push({ containerId: record.id, name: container.name, message: 'Container is in "unknown" state, try killing it before restart' });
      actions.start.push({ name: container.name, kind: 'app' });
      starting++;
      continue;
    }
    const reason = killReason(container, record, findings);
    if (reason === undefined) {
      kept++;
      continue;
    }
    const restart = reason.changed || restartsAfterKill(container, pod);
    actions.kill.push({
      containerId: record.id, name: container.name,
      message: `Container ${container.name} ${reason.text}${restart && reason.resize !== true ? ', will be restarted' : ''}`,
      ...(reason.probe === undefined ? {} : { probe: reason.probe }),
    });
    if (!restart) continue;
    actions.start.push({ name: container.name, kind: 'app' });
    starting++;
  }
  if (kept > 0 || starting > 0) return;
  actions.killPod = true;
  actions.start = [];
}

function killReason(container: Container, record: KnownContainer, { probe: verdict, resize }: Findings): { text: string; changed: boolean; resize?: boolean; probe?: ProbeType } | undefined {
  if (imageChanged(container, record)) return { text: 'definition changed', changed: true };
  for (const probe of ['liveness', 'startup'] as const) {
    if (verdict(container.name, record.id, probe) === 'failure') return { text: `failed ${probe} probe`, changed: false, probe };
  }
  if (resize(container)) return { text: 'resize requires restart', changed: true, resize: true };
  return undefined;
}

/** The container hash covers name and image. Upstream: pkg/kubelet/container/helpers.go HashContainer. */
const imageChanged = (container: Container, record: KnownContainer): boolean =>
  record.specImage !== undefined && record.specImage !== container.image;
