import { formatDuration } from '../../api/duration.ts';
import { nextBackOff, remainingSinceUpdate } from './back-off.ts';
import { call, nextId } from './calls.ts';
import { proceed } from './run.ts';
import type { CriReply } from './cri.ts';
import { podEvent, type AnyContainer } from './pod-spec.ts';
import { pullSecretNames } from './pull-secrets.ts';
import type { StartFailure } from './start-container.ts';
import type { Env, PodWorker, PullRequest } from './state.ts';

export type ImageOutcome = { failure: StartFailure } | { waitsFor: string } | { imageRef: string };

/** Upstream: pkg/kubelet/images/image_manager.go EnsureImageExists. */
export function ensureImage(env: Env, worker: PodWorker, container: AnyContainer): ImageOutcome {
  const { name, image = '', imagePullPolicy: policy = 'IfNotPresent' } = container;
  const found = env.ctx.runtime(env.node.name)?.imagePresent(image) ?? { present: false };
  if (found.invalid !== undefined) {
    const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": ${found.invalid}`;
    podEvent(env, worker.pod, 'Warning', 'InspectFailed', message, name);
    return { failure: { reason: 'InvalidImageName', message } };
  }
  if (found.present && policy !== 'Always') {
    podEvent(env, worker.pod, 'Normal', 'Pulled', `Container image "${image}" already present on machine and can be accessed by the pod`, name);
    return { imageRef: found.imageRef ?? '' };
  }
  if (policy === 'Never') {
    const message = `Container image "${image}" is not present with pull policy of Never`;
    podEvent(env, worker.pod, 'Warning', 'ErrImageNeverPull', message, name);
    return { failure: { reason: 'ErrImageNeverPull', message } };
  }
  const entry = worker.imageBackOff[image];
  const left = remainingSinceUpdate(entry, image, env.ctx.epochMs);
  if (left > 0 && entry !== undefined) {
    const message = `Back-off pulling image "${image}"`;
    podEvent(env, worker.pod, 'Normal', 'BackOff', message, name);
    env.ctx.note('back-off', { podUid: worker.uid, container: name, of: 'image', windowMs: entry.windowMs, retryAt: env.ctx.now + left });
    return { failure: { reason: 'ImagePullBackOff', message: `${message}: ErrImagePull: ${entry.error}` } };
  }
  podEvent(env, worker.pod, 'Normal', 'Pulling', `Pulling image "${image}"`, name);
  return { waitsFor: queuePull(env, worker, name, image) };
}

/** One pull at a time on a node. Upstream: serializeImagePulls. */
function queuePull(env: Env, worker: PodWorker, container: string, image: string): string {
  const { state, ctx } = env;
  const id = nextId(env, worker.uid, 'run');
  const request: PullRequest = { id, uid: worker.uid, container, image, credentials: pullSecretNames(env, worker.pod).credentials, queuedAt: ctx.now };
  state.pulls.push(request);
  if (state.pulls.length > 1) ctx.note('pull', { podUid: worker.uid, container, image, phase: 'queued' });
  else startPull(env, request);
  return id;
}

function startPull(env: Env, request: PullRequest): void {
  request.callId = call(env, request.uid, 'pull', {
    op: 'pull-image', image: request.image, credentials: request.credentials, podUid: request.uid, container: request.container,
  });
}

/** The pull at the head is done: its container goes on, and the next in line begins. */
export function pullEnded(env: Env, reply: CriReply): void {
  const { state } = env;
  const request = state.pulls[0];
  if (request?.callId !== reply.id) return;
  state.pulls.shift();
  const following = state.pulls[0];
  if (following !== undefined) startPull(env, following);
  const worker = state.pods[request.uid];
  if (worker === undefined) return;
  report(env, worker, request, reply);
  if (worker.run?.waitsFor !== request.id) return;
  worker.run.reply = reply;
  proceed(env, worker);
}

function report(env: Env, worker: PodWorker, request: PullRequest, { result }: CriReply): void {
  const { image, container } = request;
  const { ctx } = env;
  if (!result.ok) {
    podEvent(env, worker.pod, 'Warning', 'Failed', `Failed to pull image "${image}": ${result.error}`, container);
    worker.imageBackOff[image] = { ...nextBackOff(worker.imageBackOff[image], image, ctx.epochMs, ctx.epochMs), error: result.error };
    return;
  }
  const whole = ctx.now - request.queuedAt;
  const took = Math.min(result.tookMs ?? whole, whole);
  podEvent(env, worker.pod, 'Normal', 'Pulled',
    `Successfully pulled image "${image}" in ${formatDuration(took)} (${formatDuration(whole)} including waiting). Image size: ${result.sizeBytes ?? 0} bytes.`, container);
}
