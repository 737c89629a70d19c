import { call } from './calls.ts';
import { podEvent } from './pod-spec.ts';
import type { Outcome } from './run.ts';
import type { Env, PodWorker, Run, Step } from './state.ts';
import { setSandboxReady } from './status/manager.ts';

/** Upstream: pkg/kubelet/kuberuntime/kuberuntime_sandbox.go createPodSandbox. */
export function sandboxStep(env: Env, worker: PodWorker, run: Run, step: Step): Outcome {
  const { pod, uid } = worker;
  if (step.stage === 'begin') {
    env.ctx.note('pod-step', { podUid: uid, step: 'sandbox-creating' });
    const { hostNetwork, hostname, shareProcessNamespace } = pod.spec;
    step.stage = 'creating';
    run.waitsFor = call(env, uid, 'run', {
      op: 'run-sandbox', podUid: uid, namespace: pod.metadata.namespace ?? '', name: pod.metadata.name, attempt: step.attempt ?? 0,
      hostNetwork: hostNetwork === true, hostname: (hostNetwork === true ? env.node.name : (hostname ?? pod.metadata.name)).slice(0, 63), shareProcessNamespace: shareProcessNamespace === true,
    });
    return 'wait';
  }
  const { reply } = run;
  if (reply === undefined) return 'wait';
  if (!reply.result.ok) {
    if (pod.metadata.deletionTimestamp === undefined) podEvent(env, pod, 'Warning', 'FailedCreatePodSandBox', `Failed to create pod sandbox: ${reply.result.error}`);
    run.failed = true;
    return 'abort';
  }
  const { sandboxId, ip } = reply.result;
  if (sandboxId !== undefined) run.sandboxId = sandboxId;
  if (ip !== undefined) worker.podIP = ip;
  env.ctx.note('pod-step', { podUid: uid, step: 'sandbox-ready', ...(ip === undefined ? {} : { detail: ip }) });
  setSandboxReady(env, worker);
  return 'done';
}
