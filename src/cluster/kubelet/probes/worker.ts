import type { Probe } from '../../../api/schema/types.ts';
import type { ProbeType } from '../../notes.ts';
import { call, nextId } from '../calls.ts';
import type { CriReply } from '../cri.ts';
import { expand } from '../expand.ts';
import { findContainer, isTerminalPhase, lastingContainers, podEvent, type AnyContainer } from '../pod-spec.ts';
import { wakeTimes } from '../pleg.ts';
import type { Env, PodWorker, ProbeWorker } from '../state.ts';
import { setContainerReadiness } from '../status/manager.ts';
import { askNetwork, execAnswer, timeoutMsOf, type ProbeAnswer } from './ask.ts';
import { probeKey, unreadyProbes } from './results.ts';

const types: readonly ProbeType[] = ['startup', 'liveness', 'readiness'];
const fields = { startup: 'startupProbe', liveness: 'livenessProbe', readiness: 'readinessProbe' } as const;
const initial: Record<ProbeType, ProbeWorker['result']> = { readiness: 'failure', liveness: 'success', startup: 'unknown' };

const specOf = (worker: PodWorker, prober: ProbeWorker): Probe | undefined =>
  (findContainer(worker.pod, prober.container)?.container as AnyContainer | undefined)?.[fields[prober.probe]];

/** One worker for each probe of each container that lasts; its ticker starts now. Upstream: pkg/kubelet/prober/prober_manager.go AddPod. */
export function startProbes(env: Env, worker: PodWorker): void {
  for (const container of lastingContainers(worker.pod)) {
    for (const probe of types) {
      const spec = container[fields[probe]];
      const key = probeKey(container.name, probe);
      if (spec === undefined || worker.probes[key] !== undefined) continue;
      worker.probes[key] = {
        container: container.name, probe, periodMs: (spec.periodSeconds ?? 10) * 1000, tickAt: env.ctx.now, containerId: '', result: initial[probe],
        lastOutcome: 'none', run: 0, onHold: false, news: 0, triggered: false, series: false,
      };
    }
  }
}

export function stopProbesForTermination(env: Env, worker: PodWorker): void {
  for (const { name } of worker.pod.spec.containers) for (const probe of ['startup', 'liveness'] as const) stopProbe(env, worker, probeKey(name, probe));
}

export function stopAllProbes(env: Env, worker: PodWorker): void {
  for (const key of Object.keys(worker.probes)) stopProbe(env, worker, key);
}

/** The kubelet stops: nothing is probed. */
export function pauseProbes(env: Env, worker: PodWorker): void {
  for (const prober of Object.values(worker.probes)) endSeries(env, worker, prober);
}

function stopProbe(env: Env, worker: PodWorker, key: string): void {
  const prober = worker.probes[key];
  if (prober === undefined) return;
  endSeries(env, worker, prober);
  env.ctx.cancel(`probe ${worker.uid} ${key}`);
  delete worker.probes[key];
}

function endSeries(env: Env, worker: PodWorker, prober: ProbeWorker): void {
  if (!prober.series) return;
  prober.series = false;
  env.ctx.note('probe-series-end', { podUid: worker.uid, container: prober.container, probe: prober.probe, before: env.ctx.now + 1 });
}

/** The tick after `from`. */
const tickAfter = ({ tickAt, periodMs }: ProbeWorker, from: number): number => (from < tickAt ? tickAt : tickAt + (Math.floor((from - tickAt) / periodMs) + 1) * periodMs);

function scheduleTick(env: Env, worker: PodWorker, prober: ProbeWorker, at: number): void {
  const key = probeKey(prober.container, prober.probe);
  prober.dueAt = Math.max(at, env.ctx.now);
  env.ctx.schedule({ afterMs: prober.dueAt - env.ctx.now, kind: 'probe', key: `probe ${worker.uid} ${key}`, payload: { uid: worker.uid, key } });
}

/** What a tick at this moment would find. */
type Sight = { kind: 'nothing' } | { kind: 'later'; at: number } | { kind: 'dead'; id: string } | { kind: 'probe'; id: string };

/** Upstream: pkg/kubelet/prober/worker.go doProbe, up to the probe itself. It reads the status manager's copy, not the runtime. */
function look(env: Env, worker: PodWorker, prober: ProbeWorker): Sight {
  const { status, snapshot } = worker;
  if (status === undefined || isTerminalPhase(status.phase)) return { kind: 'nothing' };
  const item = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])].find(({ name }) => name === prober.container);
  const id = item?.containerID?.slice('containerd://'.length);
  if (item === undefined || id === undefined) return { kind: 'nothing' };
  const fresh = prober.containerId !== id;
  if (prober.onHold && !fresh) return { kind: 'nothing' };
  if (item.state?.running === undefined) return fresh || prober.result !== 'failure' ? { kind: 'dead', id } : { kind: 'nothing' };
  if (prober.probe === 'startup' ? item.started === true && !fresh : item.started !== true) return fresh ? { kind: 'probe', id } : { kind: 'nothing' };
  const record = snapshot.containers.find((container) => container.id === id);
  const delayMs = (specOf(worker, prober)?.initialDelaySeconds ?? 0) * 1000;
  const readyAt = record === undefined ? 0 : record.startedAt - env.ctx.epochMs + env.ctx.now + delayMs;
  if (env.ctx.now < readyAt && !fresh) return { kind: 'later', at: readyAt };
  return { kind: 'probe', id };
}

/** After each new status: only those workers get a tick that would find something to do. */
export function wakeProbes(env: Env, worker: PodWorker): void {
  for (const prober of Object.values(worker.probes)) wakeProbe(env, worker, prober);
}

function wakeProbe(env: Env, worker: PodWorker, prober: ProbeWorker): void {
  if (prober.inFlight !== undefined) return;
  const sight = look(env, worker, prober);
  if (sight.kind === 'nothing') return;
  if (sight.kind === 'probe' && prober.series && sight.id === prober.containerId) return;
  if (sight.kind === 'dead') endSeries(env, worker, prober);
  const at = tickAfter(prober, sight.kind === 'later' ? sight.at - 1 : env.ctx.now);
  if (prober.dueAt === undefined || prober.dueAt > at) scheduleTick(env, worker, prober, at);
}

/** A sync that finds a started container unready asks its probe to run at once; the ticker starts over. Upstream: UpdatePodStatus. */
export function triggerReadiness(env: Env, worker: PodWorker): void {
  for (const prober of unreadyProbes(worker)) {
    if (prober.inFlight !== undefined) prober.triggered = true;
    else {
      prober.tickAt = env.ctx.now;
      doProbe(env, worker, prober);
    }
  }
}

/** Something that a probe could see changed in a container: its steady answers are over. */
export function containerChanged(env: Env, worker: PodWorker, containerId: string): void {
  for (const prober of Object.values(worker.probes)) {
    if (prober.containerId !== containerId || !prober.series) continue;
    prober.series = false;
    scheduleTick(env, worker, prober, tickAfter(prober, env.ctx.now));
  }
}

export function probeTick(env: Env, worker: PodWorker, key: string): void {
  const prober = worker.probes[key];
  if (prober === undefined) return;
  delete prober.dueAt;
  if (prober.inFlight !== undefined) return;
  prober.series = false;
  doProbe(env, worker, prober);
}

function doProbe(env: Env, worker: PodWorker, prober: ProbeWorker): void {
  const sight = look(env, worker, prober);
  if (sight.kind === 'later') return scheduleTick(env, worker, prober, tickAfter(prober, sight.at - 1));
  if (sight.kind === 'nothing') return;
  // While it is at work a trigger is kept for later, as in the channel of one.
  prober.inFlight = { id: '', startedAt: env.ctx.now };
  const fresh = prober.containerId !== sight.id;
  if (fresh) {
    prober.containerId = sight.id;
    prober.onHold = false;
    prober.result = initial[prober.probe];
    announce(env, worker, prober);
  }
  if (sight.kind === 'dead') {
    publish(env, worker, prober, 'failure');
    delete prober.inFlight;
  } else if (fresh && look(env, worker, prober).kind !== 'probe') {
    delete prober.inFlight;
    prober.triggered = false;
    wakeProbe(env, worker, prober);
  } else ask(env, worker, prober);
  tellWorker(env, worker, prober);
}

function ask(env: Env, worker: PodWorker, prober: ProbeWorker): void {
  const spec = specOf(worker, prober);
  const container = findContainer(worker.pod, prober.container)?.container;
  if (spec === undefined || container === undefined) return;
  const { ctx } = env;
  const key = probeKey(prober.container, prober.probe);
  if (prober.forced !== undefined) return answered(env, worker, prober, ctx.now, forcedAnswer(prober.forced, timeoutMsOf(spec)));
  if (spec.exec !== undefined) {
    const fixed = new Map((container.env ?? []).filter(({ valueFrom }) => valueFrom === undefined).map(({ name, value = '' }) => [name, value]));
    const command = (spec.exec.command ?? []).map((part) => expand(part, (name) => fixed.get(name)));
    const id = call(env, worker.uid, 'probe', { op: 'exec', containerId: prober.containerId, command, timeoutMs: timeoutMsOf(spec), purpose: 'probe' }, key);
    prober.inFlight = { id, startedAt: ctx.now };
    return;
  }
  const answer = askNetwork(env, worker, container, spec);
  if (answer.latencyMs < instantMs) return answered(env, worker, prober, ctx.now, answer);
  const id = nextId(env, worker.uid, 'probe', key);
  prober.inFlight = { id, startedAt: ctx.now };
  ctx.schedule({ afterMs: Math.ceil(answer.latencyMs), kind: 'probe-answer', payload: { uid: worker.uid, key, id, answer } });
}

/** Answers quicker than this are taken at once: nobody could tell. */
const instantMs = 10;

const forcedAnswer = (forced: NonNullable<ProbeWorker['forced']>, timeoutMs: number): ProbeAnswer =>
  forced === 'timeout' ? { outcome: 'timeout', message: 'context deadline exceeded', latencyMs: timeoutMs, steadyUntil: 0 } : { outcome: 'failure', message: 'made to fail', latencyMs: 0, steadyUntil: 0 };

export function probeAnswer(env: Env, worker: PodWorker, key: string, id: string, answer: ProbeAnswer): void {
  const prober = worker.probes[key];
  if (prober?.inFlight?.id !== id) return;
  answered(env, worker, prober, prober.inFlight.startedAt, answer);
  tellWorker(env, worker, prober);
}

export function execAnswered(env: Env, worker: PodWorker, key: string, reply: CriReply): void {
  const prober = worker.probes[key];
  const spec = prober === undefined ? undefined : specOf(worker, prober);
  if (prober?.inFlight?.id !== reply.id || spec?.exec === undefined) return;
  const { startedAt } = prober.inFlight;
  answered(env, worker, prober, startedAt, execAnswer(reply, spec.exec.command ?? [], spec, env.ctx.now - startedAt));
  tellWorker(env, worker, prober);
}

const words: Record<ProbeType, string> = { startup: 'Startup', liveness: 'Liveness', readiness: 'Readiness' };

/** Counts a result, publishes it past its threshold, and sets the next tick. Upstream: doProbe after the probe. */
function answered(env: Env, worker: PodWorker, prober: ProbeWorker, startedAt: number, answer: ProbeAnswer): void {
  const spec = specOf(worker, prober);
  if (spec === undefined) return;
  prober.inFlight = { id: '', startedAt };
  const { outcome, message } = answer;
  const word = words[prober.probe];
  if (outcome === 'unknown') podEvent(env, worker.pod, 'Warning', 'Unhealthy', `${word} probe errored and resulted in unknown state: ${message}`, prober.container);
  else if (outcome === 'warning') podEvent(env, worker.pod, 'Warning', 'ProbeWarning', `${word} probe warning: ${message}`, prober.container);
  else if (outcome !== 'success') podEvent(env, worker.pod, 'Warning', 'Unhealthy', `${word} probe failed: ${message}`, prober.container);
  const result = outcome === 'success' || outcome === 'warning' ? 'success' : 'failure';
  const threshold = result === 'success' ? (spec.successThreshold ?? 1) : (spec.failureThreshold ?? 3);
  if (outcome !== 'unknown') {
    prober.run = prober.lastOutcome === result ? prober.run + 1 : 1;
    prober.lastOutcome = result;
  }
  const crosses = outcome !== 'unknown' && prober.run >= threshold && prober.result !== result;
  env.ctx.note('probe-result', { podUid: worker.uid, container: prober.container, probe: prober.probe, outcome, run: prober.run, threshold, crosses, message: message.slice(0, 300), startedAt });
  if (outcome !== 'unknown' && prober.run >= threshold) {
    if ((prober.probe === 'liveness' && result === 'failure') || prober.probe === 'startup') {
      prober.onHold = true;
      prober.run = 0;
    }
    publish(env, worker, prober, result);
  }
  afterAnswer(env, worker, prober, startedAt, outcome === 'success' && prober.result === 'success', answer.steadyUntil);
}

function afterAnswer(env: Env, worker: PodWorker, prober: ProbeWorker, startedAt: number, healthy: boolean, steadyUntil: number | undefined): void {
  const { ctx } = env;
  delete prober.inFlight;
  if (worker.probes[probeKey(prober.container, prober.probe)] !== prober) return;
  if (prober.triggered) {
    prober.triggered = false;
    prober.tickAt = ctx.now;
    return scheduleTick(env, worker, prober, ctx.now);
  }
  if (prober.onHold) return;
  // A tick that came while the probe ran is taken at once.
  const next = tickAfter(prober, startedAt) <= ctx.now && startedAt < ctx.now ? ctx.now : tickAfter(prober, ctx.now);
  if (!healthy || (steadyUntil !== undefined && steadyUntil <= next)) return scheduleTick(env, worker, prober, next);
  prober.series = true;
  ctx.note('probe-series', { podUid: worker.uid, container: prober.container, probe: prober.probe, firstAt: next, periodMs: prober.periodMs });
  if (steadyUntil !== undefined) scheduleTick(env, worker, prober, tickAfter(prober, steadyUntil - 1));
  else {
    delete prober.dueAt;
    ctx.cancel(`probe ${worker.uid} ${probeKey(prober.container, prober.probe)}`);
  }
}

function publish(env: Env, worker: PodWorker, prober: ProbeWorker, result: ProbeWorker['result']): void {
  if (prober.result === result) return;
  prober.result = result;
  announce(env, worker, prober);
}

/** A published result reaches the status and the pod's worker. Upstream: kubelet.go syncLoopIteration. */
function announce(env: Env, worker: PodWorker, prober: ProbeWorker): void {
  if (prober.probe === 'readiness') setContainerReadiness(env, worker, prober.containerId, { ready: prober.result === 'success' });
  else if (prober.probe === 'startup') setContainerReadiness(env, worker, prober.containerId, { started: prober.result === 'success' });
  if (prober.probe !== 'liveness' || prober.result === 'failure') prober.news++;
}

/** The pod's worker hears of results once the probe's turn is over: the first update finds the newest result, the next waits (recorded 033). */
function tellWorker(env: Env, worker: PodWorker, prober: ProbeWorker): void {
  const { news } = prober;
  prober.news = 0;
  if (news === 0) return;
  wakeTimes(env, worker, news);
  wakeProbes(env, worker);
}

/** A fault: the probe fails (or is as before) whatever the container does. */
export function forceProbe(env: Env, worker: PodWorker, container: string, probe: ProbeType, result: 'fail' | 'timeout' | 'none'): void {
  const prober = worker.probes[probeKey(container, probe)];
  if (prober === undefined) return;
  if (result === 'none') delete prober.forced;
  else prober.forced = result;
  if (!prober.series) return;
  prober.series = false;
  scheduleTick(env, worker, prober, tickAfter(prober, env.ctx.now));
}

