import type { CriCall, CriReply } from '../kubelet/cri.ts';
import { endContainer, exitCodeOf } from './ending.ts';
import { forgetContainer, newId } from './containers.ts';
import { reply, tellKubelet, type Caller, type Machine } from './machine.ts';
import { podNetwork, podRecord, type RuntimeState, type Sandbox } from './state.ts';
import { takes } from './timings.ts';

type Call<Op extends CriReply['op']> = Extract<CriCall['call'], { op: Op }>;

/** Makes the pod's sandbox: pause container, network namespace, address. Nobody sees it before it is ready. */
export function runSandbox(machine: Machine, caller: Caller, call: Call<'run-sandbox'>): void {
  const { state } = machine;
  const { podUid, namespace, name, attempt, hostNetwork, hostname, shareProcessNamespace } = call;
  const id = newId(machine);
  const tookMs = takes(machine, 'sandbox');
  const ip = hostNetwork ? '' : nextAddress(state);
  if (ip === undefined) {
    const network = podNetwork(state.settings.index);
    const why = `no IP addresses available in range set: ${network}.1-${network}.254`;
    const error = `rpc error: code = Unknown desc = failed to setup network for sandbox "${id}": plugin type="ptp" failed (add): failed to allocate for range 0: ${why}`;
    reply(machine, caller, 'run-sandbox', { ok: false, error }, tookMs);
    return;
  }
  state.sandboxes[id] = {
    id, podUid, namespace, name, hostname, attempt, hostNetwork, sharedPids: shareProcessNamespace, ready: true, networked: true, ip,
    visibleAt: machine.now + tookMs, createdAt: machine.epochMs + tookMs, ports: {},
  };
  if (ip !== '') state.addresses[ip] = id;
  podRecord(state, podUid).sandboxes.push(id);
  tellKubelet(machine, { podUid, what: 'sandbox' }, tookMs);
  reply(machine, caller, 'run-sandbox', { ok: true, sandboxId: id, ...(ip === '' ? {} : { ip }) }, tookMs);
}

/** Addresses .2 to .254 go round, as the host-local plugin gives them out. */
function nextAddress(state: RuntimeState): string | undefined {
  const network = podNetwork(state.settings.index);
  for (let tries = 0; tries < 253; tries++) {
    state.lastAddress = state.lastAddress >= 254 ? 2 : state.lastAddress + 1;
    const address = `${network}.${state.lastAddress}`;
    if (state.addresses[address] === undefined) return address;
  }
  return undefined;
}

/** Ends what still runs in it, takes down its network. Upstream: containerd internal/cri/server/sandbox_stop.go. */
export function stopSandbox(machine: Machine, caller: Caller, { sandboxId }: Call<'stop-sandbox'>): void {
  const sandbox = machine.state.sandboxes[sandboxId];
  if (sandbox !== undefined) shutDown(machine, sandbox);
  reply(machine, caller, 'stop-sandbox', { ok: true }, takes(machine, 'stopSandbox'));
}

function shutDown(machine: Machine, sandbox: Sandbox): void {
  const { state } = machine;
  killAllIn(machine, sandbox);
  if (state.addresses[sandbox.ip] === sandbox.id) delete state.addresses[sandbox.ip];
  const changed = sandbox.ready || sandbox.networked;
  sandbox.ready = false;
  sandbox.networked = false;
  if (changed) tellKubelet(machine, { podUid: sandbox.podUid, what: 'sandbox' });
}

function killAllIn(machine: Machine, sandbox: Sandbox): void {
  for (const id of machine.state.pods[sandbox.podUid]?.containers ?? []) {
    const container = machine.state.containers[id];
    if (container?.status.sandboxId === sandbox.id) endContainer(machine, container, exitCodeOf('SIGKILL'));
  }
}

/** The pause container dies. Its network lives on as long as a process is in it; processes in its pid namespace die with it. */
export function killPause(machine: Machine, sandbox: Sandbox): void {
  if (!sandbox.ready) return;
  sandbox.ready = false;
  if (sandbox.sharedPids) killAllIn(machine, sandbox);
  tellKubelet(machine, { podUid: sandbox.podUid, what: 'sandbox' });
}

export function removeSandbox(machine: Machine, caller: Caller, { sandboxId }: Call<'remove-sandbox'>): void {
  const { state } = machine;
  const sandbox = state.sandboxes[sandboxId];
  if (sandbox !== undefined) {
    shutDown(machine, sandbox);
    const pod = podRecord(state, sandbox.podUid);
    for (const id of pod.containers) if (state.containers[id]?.status.sandboxId === sandboxId) forgetContainer(machine, id);
    pod.sandboxes = pod.sandboxes.filter((id) => id !== sandboxId);
    delete state.sandboxes[sandboxId];
    forgetEmptyPod(state, sandbox.podUid);
    tellKubelet(machine, { podUid: sandbox.podUid, what: 'removed' });
  }
  reply(machine, caller, 'remove-sandbox', { ok: true }, takes(machine, 'remove'));
}

/** Nothing of a pod is left once its sandboxes, containers and volumes are gone. */
export function forgetEmptyPod(state: RuntimeState, podUid: string): void {
  const pod = state.pods[podUid];
  if (pod === undefined || pod.sandboxes.length > 0 || pod.containers.length > 0 || Object.keys(pod.volumes).length > 0) return;
  delete state.pods[podUid];
}
