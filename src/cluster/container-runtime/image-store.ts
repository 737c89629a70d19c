import { parseDuration } from '../../api/duration.ts';
import type { CriCall } from '../kubelet/cri.ts';
import { remind, reply, type Caller, type Machine } from './machine.ts';
import { parseReference, type ImageReference } from './reference.ts';
import { askRegistry, digestReference, type RegistryAnswer } from './registry.ts';
import type { RuntimeState } from './state.ts';
import { pullBytesPerMs, takes } from './timings.ts';

export interface ImagePresence {
  present: boolean;
  imageRef?: string;
  sizeBytes?: number;
  user?: number;
  invalid?: string;
}

/** What the image service says of an image on this node. */
export function imagePresent(state: RuntimeState, image: string): ImagePresence {
  const facts = imageFacts(state, image);
  if (typeof facts === 'string') return { present: false, invalid: facts };
  const { reference, answer, preloaded } = facts;
  const stored = state.images[reference.name];
  const here = stored === undefined ? preloaded : stored !== null;
  if (!here) return { present: false };
  const user = answer.ok ? answer.user : undefined;
  const sizeBytes = stored?.sizeBytes ?? (answer.ok ? answer.sizeBytes : 0);
  return { present: true, imageRef: digestReference(reference), sizeBytes, ...(user === undefined ? {} : { user }) };
}

interface ImageFacts {
  reference: ImageReference;
  answer: RegistryAnswer;
  preloaded: boolean;
}

/** What follows from a node's settings alone, or what is wrong with the reference: found out once. */
function imageFacts(state: RuntimeState, image: string): ImageFacts | string {
  let known = knownFacts.get(state.settings);
  if (known === undefined) knownFacts.set(state.settings, (known = new Map()));
  let facts = known.get(image);
  if (facts === undefined) known.set(image, (facts = findFacts(state, image)));
  return facts;
}

const knownFacts = new WeakMap<RuntimeState['settings'], Map<string, ImageFacts | string>>();

function findFacts(state: RuntimeState, image: string): ImageFacts | string {
  const reference = parseReference(image);
  if (typeof reference === 'string') return reference;
  const answer = askRegistry(state.settings, reference, undefined);
  return { reference, answer, preloaded: answer.ok && answer.preloaded && !isAbsent(state, reference) };
}

/** Scenarios say what is not there; an image that they give a pull time is not there either, else it would have no meaning. */
function isAbsent(state: RuntimeState, reference: ImageReference): boolean {
  const { absent, pullTakes } = state.settings.images;
  const means = (image: string) => {
    const other = parseReference(image);
    return typeof other !== 'string' && other.name === reference.name;
  };
  return (absent ?? []).some(means) || Object.keys(pullTakes ?? {}).some(means);
}

interface PullEnd {
  callId: string;
  replyTo: string;
  image: string;
  sizeBytes: number;
  tookMs: number;
  error?: string;
  /** For the film: whose pull it is. */
  asker: { podUid?: string; container?: string };
}

type PullCall = Extract<CriCall['call'], { op: 'pull-image' }>;

/** Upstream: containerd internal/cri/server/images/image_pull.go, transfer service. */
export function pullImage(machine: Machine, caller: Caller, { image, credentials, podUid, container }: PullCall): void {
  const { state } = machine;
  const reference = parseReference(image);
  if (typeof reference === 'string') {
    reply(machine, caller, 'pull-image', { ok: false, error: `failed to parse image reference "${image}": ${reference}` }, takes(machine, 'refusal'));
    return;
  }
  const answer = askRegistry(state.settings, reference, credentials);
  const fault = state.pullFaults[reference.name] ?? state.pullFaults[reference.repository];
  const error = state.networkDown ? unreachableError(reference) : fault?.pull === 'fail' ? downError(reference) : answer.ok ? undefined : refusals[answer.why](reference);
  const tookMs = error !== undefined && fault?.pull !== 'slow'
    ? takes(machine, 'refusal')
    : pullDuration(machine, image, reference, answer, fault?.pull === 'slow' ? (fault.takes ?? '60s') : undefined);
  const sizeBytes = answer.ok ? answer.sizeBytes : 0;
  const asker = { ...(podUid === undefined ? {} : { podUid }), ...(container === undefined ? {} : { container }) };
  machine.note('pull', { ...asker, image, phase: 'started', sizeBytes, expectedMs: tookMs });
  const end: PullEnd = { ...caller, image, sizeBytes, tookMs, asker, ...(error === undefined ? {} : { error }) };
  remind(machine, 'pulled', end, tookMs);
}

export function finishPull(machine: Machine, { image, sizeBytes, tookMs, error, asker, ...caller }: PullEnd): void {
  const reference = parseReference(image) as ImageReference;
  if (error !== undefined) {
    machine.note('pull', { ...asker, image, phase: 'failed', message: error });
    reply(machine, caller, 'pull-image', { ok: false, error }, 0);
    return;
  }
  machine.state.images[reference.name] = { sizeBytes };
  machine.note('pull', { ...asker, image, phase: 'finished', sizeBytes });
  reply(machine, caller, 'pull-image', { ok: true, imageRef: digestReference(reference), sizeBytes, tookMs }, 0);
}

function pullDuration(machine: Machine, image: string, reference: ImageReference, answer: RegistryAnswer, slow: string | undefined): number {
  const resolve = takes(machine, 'resolve');
  if (slow !== undefined) return milliseconds(slow);
  if (imagePresent(machine.state, image).present) return resolve;
  const { pullTakes } = machine.state.settings.images;
  const own = Object.entries(pullTakes ?? {}).find(([other]) => {
    const parsed = parseReference(other);
    return typeof parsed !== 'string' && parsed.name === reference.name;
  });
  const given = own?.[1] ?? (answer.ok ? answer.takes : undefined);
  if (given !== undefined) return typeof given === 'number' ? given : milliseconds(given);
  const speed = machine.random('pull-speed').between(pullBytesPerMs.low, pullBytesPerMs.high);
  return resolve + Math.ceil((answer.ok ? answer.sizeBytes : 0) / speed);
}

const milliseconds = (text: string): number => Math.max(1, Math.round(parseDuration(text) ?? 1000));

const failed = (reference: ImageReference, why: string) => `failed to pull and unpack image "${reference.name}": failed to resolve image: ${why}`;

/** The manifest's address, as error texts show it. */
function manifestUrl({ domain, path, tag, digest }: ImageReference): string {
  return `https://${domain === 'docker.io' ? 'registry-1.docker.io' : domain}/v2/${path}/manifests/${digest ?? tag ?? ''}`;
}

const hostOf = ({ domain }: ImageReference) => (domain === 'docker.io' ? 'registry-1.docker.io' : domain.replace(/:\d+$/, ''));

/** The resolver of the nodes, as error texts name it. */
const nodeResolver = '172.30.0.1:53';

const refusals: Record<'not-found' | 'denied' | 'no-host', (reference: ImageReference) => string> = {
  'not-found': (reference) => `rpc error: code = NotFound desc = ${failed(reference, `${reference.name}: not found`)}`,
  denied: (reference) =>
    failed(reference, 'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed'),
  'no-host': (reference) =>
    failed(reference, `failed to do request: Head "${manifestUrl(reference)}": dial tcp: lookup ${hostOf(reference)} on ${nodeResolver}: no such host`),
};

const downError = (reference: ImageReference) =>
  failed(reference, `unexpected status from HEAD request to ${manifestUrl(reference)}: 503 Service Unavailable`);

const unreachableError = (reference: ImageReference) =>
  failed(reference, `failed to do request: Head "${manifestUrl(reference)}": dial tcp: lookup ${hostOf(reference)} on ${nodeResolver}: server misbehaving`);
