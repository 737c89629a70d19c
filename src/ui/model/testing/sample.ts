import type { ProbeType } from '../../../cluster/notes.ts';
import type { ContainerValue, FilmDelta, PodValue, ProbeMark, Tone } from '../../../worker/protocol.ts';
import { FilmBuilder } from './film-builder.ts';

/**
 * One small run with every state in it: three web pods behind a Service, one not ready, one terminating; a crash loop, a pull, a finished and a
 * failed job, an unschedulable pod, a node that is lost. Times in seconds.
 */
export function sampleFilm(): FilmDelta {
  const film = new FilmBuilder();
  for (const pod of pods) addPod(film, pod);
  addWebDetail(film);
  addCartDetail(film);
  addShortPods(film);
  addCluster(film);
  return film.delta(112_000, { untilMs: 180_000, title: 'Liveness vs readiness' });
}

type Band = [from: number, to: number, tone: Tone, status: string];
interface SamplePod { name: string; node?: string; ip?: string; of: number; deadline?: number; message?: string; bands: Band[]; ready?: Partial<Record<Tone, number>>; restarts?: number }

const pods: SamplePod[] = [
  { name: 'web-1', node: 'node-1', ip: '10.244.1.7', of: 2, ready: { 'not-ready': 1 }, bands: [[0, .4, 'pending', 'Pending'], [.4, 9.8, 'starting', 'Init:0/2'], [9.8, 13.4, 'starting', 'Init:1/2'], [13.4, 20, 'starting', 'PodInitializing'], [20, 25.3, 'not-ready', 'Running'], [25.3, 100.3, 'ready', 'Running'], [100.3, 110.4, 'not-ready', 'Running'], [110.4, 999, 'ready', 'Running']] },
  { name: 'cart-0', node: 'node-1', ip: '10.244.1.9', of: 1, restarts: 4, bands: [[0, .4, 'pending', 'Pending'], [.4, 4.4, 'starting', 'ContainerCreating'], [4.4, 6.4, 'not-ready', 'Running'], [6.4, 6.9, 'failed', 'Error'], [6.9, 8.9, 'not-ready', 'Running'], [8.9, 19.4, 'back-off', 'CrashLoopBackOff'], [19.4, 21.4, 'not-ready', 'Running'], [21.4, 41.9, 'back-off', 'CrashLoopBackOff'], [41.9, 43.9, 'not-ready', 'Running'], [43.9, 84.4, 'back-off', 'CrashLoopBackOff'], [84.4, 86.4, 'not-ready', 'Running'], [86.4, 999, 'back-off', 'CrashLoopBackOff']] },
  { name: 'web-2', node: 'node-1', ip: '10.244.1.8', of: 2, bands: [[0, .4, 'pending', 'Pending'], [.4, 18.6, 'starting', 'PodInitializing'], [18.6, 24, 'not-ready', 'Running'], [24, 999, 'ready', 'Running']] },
  { name: 'cache-0', node: 'node-1', of: 1, bands: [[95, 95.4, 'pending', 'Pending'], [95.4, 106.2, 'starting', 'ContainerCreating'], [106.2, 999, 'ready', 'Running']] },
  { name: 'web-0', node: 'node-1', ip: '10.244.1.6', of: 2, deadline: 119, ready: { terminating: 2 }, bands: [[0, .4, 'pending', 'Pending'], [.4, 17, 'starting', 'PodInitializing'], [17, 22, 'not-ready', 'Running'], [22, 89, 'ready', 'Running'], [89, 999, 'terminating', 'Terminating']] },
  { name: 'thumb-6qx9p', node: 'node-1', of: 1, bands: [[30, 30.4, 'pending', 'Pending'], [30.4, 33, 'starting', 'ContainerCreating'], [33, 64, 'ready', 'Running'], [64, 999, 'succeeded', 'Completed']] },
  { name: 'search-0', node: 'node-2', ip: '10.244.2.4', of: 1, ready: { 'not-ready': 1 }, bands: [[0, .4, 'pending', 'Pending'], [.4, 6, 'starting', 'ContainerCreating'], [6, 70, 'ready', 'Running'], [70, 999, 'not-ready', 'Running']] },
  { name: 'migrate-4c8tz', node: 'node-2', of: 1, bands: [[2, 5, 'starting', 'ContainerCreating'], [5, 14, 'not-ready', 'Running'], [14, 999, 'failed', 'Error']] },
  { name: 'report-0', of: 1, message: '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s). preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.', bands: [[91, 999, 'pending', 'Pending']] },
];

const phaseOf: Partial<Record<Tone, string>> = { pending: 'Pending', starting: 'Pending', succeeded: 'Succeeded', failed: 'Failed' };

const podLane = (name: string) => ({ id: `pod/${name}`, kind: 'pod' as const, label: name, namespace: 'default', podUid: name });

function addPod(film: FilmBuilder, pod: SamplePod): void {
  for (const [from, , tone, status] of pod.bands) {
    const value: PodValue = {
      kind: 'pod', status, tone, phase: phaseOf[tone] ?? 'Running', ready: tone === 'ready' ? pod.of : pod.ready?.[tone] ?? 0, total: pod.of,
      restarts: pod.restarts ?? 0, ...(pod.node === undefined || tone === 'pending' ? {} : { node: pod.node }), ...(pod.ip === undefined ? {} : { ip: pod.ip }),
      ...(tone === 'terminating' && pod.deadline !== undefined ? { deadlineAt: pod.deadline * 1000 } : {}), ...(pod.message === undefined ? {} : { message: pod.message }),
    };
    film.span(podLane(pod.name), from * 1000, value);
  }
}

const containerLane = (pod: string, name: string, order: number) =>
  ({ id: `container/${pod}/${name}`, kind: 'container' as const, label: name, podUid: pod, container: name, order });

function container(role: ContainerValue['role'], tone: Tone, more: Partial<ContainerValue> = {}): ContainerValue {
  const state = tone === 'ready' || tone === 'not-ready' ? 'running' : tone === 'failed' || tone === 'succeeded' ? 'terminated' : 'waiting';
  return { kind: 'container', role, state, tone, ready: tone === 'ready', started: state === 'running', restarts: 0, image: 'shop/web:1.4', ...more };
}

function addWebDetail(film: FilmBuilder): void {
  const u = 'web-1';
  const waitDb = containerLane(u, 'wait-db', 1);
  film.span(waitDb, 400, container('init', 'starting', { reason: 'pulling' })).span(waitDb, 2300, container('init', 'ready')).span(waitDb, 9800, container('init', 'succeeded', { exitCode: 0, reason: 'Completed' }));
  const log = containerLane(u, 'log', 2);
  film.span(log, 9900, container('sidecar', 'starting')).span(log, 13_400, container('sidecar', 'ready'));
  const app = containerLane(u, 'app', 3);
  film.span(app, 13_600, container('app', 'starting', { reason: 'pulling' })).span(app, 20_000, container('app', 'not-ready')).span(app, 25_300, container('app', 'ready'))
    .span(app, 100_300, container('app', 'not-ready')).span(app, 110_400, container('app', 'ready'));
  addProbes(film, u);
  const condition = (type: string) => ({ id: `condition/${u}/${type}`, kind: 'condition' as const, label: type, podUid: u });
  for (const [type, at, status] of [['PodScheduled', 400, 'True'], ['PodReadyToStartContainers', 900, 'True'], ['Initialized', 900, 'False'], ['Initialized', 13_400, 'True'],
    ['ContainersReady', 900, 'False'], ['ContainersReady', 25_300, 'True'], ['ContainersReady', 100_300, 'False'], ['ContainersReady', 110_400, 'True'],
    ['Ready', 900, 'False'], ['Ready', 25_300, 'True'], ['Ready', 100_300, 'False'], ['Ready', 110_400, 'True']] as const) {
    film.span(condition(type), at, { kind: 'condition', status, ...(status === 'False' ? { message: 'containers with unready status: [app]' } : {}) });
  }
  const events = { id: `events/${u}`, kind: 'events' as const, label: 'events', podUid: u };
  const normal: [number, string][] = [[.4, 'Scheduled'], [.42, 'Pulling'], [.6, 'Pulled'], [.7, 'Created'], [.8, 'Started'], [9.9, 'Pulling'], [13.4, 'Pulled'], [13.4, 'Created'], [13.4, 'Started'], [13.6, 'Pulling'], [20, 'Pulled'], [20, 'Created'], [20, 'Started']];
  for (const [at, reason] of normal) film.mark(events, at * 1000, { kind: 'event', type: 'Normal', reason, message: reason, count: 1, source: 'kubelet', object: 'Pod/web-1' });
  for (const at of [21.1, 23.1, 90.2, 95.2, 100.2, 100.3, 105.3]) film.mark(events, at * 1000, { kind: 'event', type: 'Warning', reason: 'Unhealthy', message: 'Readiness probe failed: HTTP probe failed with statuscode: 503', count: 1, source: 'kubelet', object: 'Pod/web-1' });
}

function addProbes(film: FilmBuilder, u: string): void {
  const lane = (probe: ProbeType) => ({ id: `probe/${u}/app/${probe}`, kind: 'probe' as const, label: probe, podUid: u, container: 'app', probe });
  const mark = (outcome: ProbeMark['outcome'], run: number, threshold: number, crosses = false): ProbeMark =>
    ({ kind: 'probe', outcome, run, threshold, crosses, message: outcome === 'success' ? '' : 'HTTP probe failed with statuscode: 503', tookMs: 3 });
  film.mark(lane('startup'), 21_100, mark('failure', 1, 15)).mark(lane('startup'), 23_100, mark('failure', 2, 15)).mark(lane('startup'), 25_100, mark('success', 1, 1, true));
  film.span(lane('liveness'), 29_100, { kind: 'probe-series', periodMs: 10_000 });
  film.mark(lane('readiness'), 25_200, mark('success', 1, 1, true)).span(lane('readiness'), 30_200, { kind: 'probe-series', periodMs: 5000 }).span(lane('readiness'), 85_201, undefined);
  [[90.2, 1], [95.2, 2], [100.2, 3], [100.3, 4], [105.3, 5]].forEach(([at = 0, run = 0]) => film.mark(lane('readiness'), at * 1000, mark('failure', run, 3, run === 3)));
  film.mark(lane('readiness'), 110_300, mark('success', 1, 1, true));
}

function addCartDetail(film: FilmBuilder): void {
  const app = containerLane('cart-0', 'app', 1);
  film.span(app, 600, container('app', 'starting', { reason: 'ContainerCreating' }));
  const runs: [number, Tone, number?][] = [[4.4, 'not-ready'], [6.4, 'failed'], [6.9, 'not-ready'], [8.9, 'back-off', 19.4], [19.4, 'not-ready'], [21.4, 'back-off', 41.9], [41.9, 'not-ready'], [43.9, 'back-off', 84.4], [84.4, 'not-ready'], [86.4, 'back-off', 166.4]];
  let restarts = 0;
  for (const [at, tone, retry] of runs) {
    if (tone === 'not-ready' && at > 5) restarts += 1;
    film.span(app, at * 1000, container('app', tone, { restarts, ...(retry === undefined ? {} : { retryAt: retry * 1000, backOffMs: Math.floor(retry - at) * 1000, reason: 'CrashLoopBackOff' }), ...(tone === 'failed' ? { exitCode: 1, reason: 'Error' } : {}) }));
  }
}

function addShortPods(film: FilmBuilder): void {
  for (const u of ['web-0', 'web-2']) {
    const from = u === 'web-0' ? 17_000 : 18_600;
    film.span(containerLane(u, 'init', 1), 900, container('init', 'ready')).span(containerLane(u, 'init', 1), 9000, container('init', 'succeeded', { exitCode: 0 }));
    film.span(containerLane(u, 'log', 2), 12_000, container('sidecar', 'ready'));
    film.span(containerLane(u, 'app', 3), from, container('app', 'not-ready')).span(containerLane(u, 'app', 3), u === 'web-0' ? 22_000 : 24_000, container('app', 'ready'));
  }
  for (const [probe, at, period] of [['startup', 22_000, 0], ['liveness', 24_000, 10_000], ['readiness', 23_900, 5000]] as const) {
    const lane = { id: `probe/web-2/app/${probe}`, kind: 'probe' as const, label: probe, podUid: 'web-2', container: 'app', probe };
    if (period === 0) film.mark(lane, at, { kind: 'probe', outcome: 'success', run: 1, threshold: 1, crosses: true, message: '', tookMs: 2 });
    else film.span(lane, at, { kind: 'probe-series', periodMs: period });
  }
  const signals = { id: 'signals/web-0', kind: 'signals' as const, label: 'signals', podUid: 'web-0' };
  film.mark(signals, 89_000, { kind: 'signal', signal: 'preStop', container: 'app', phase: 'started' }).mark(signals, 99_000, { kind: 'signal', signal: 'preStop', container: 'app', phase: 'finished' })
    .mark(signals, 99_000, { kind: 'signal', signal: 'SIGTERM', container: 'app', killAt: 119_000 });
  film.mark({ id: 'steps/cache-0', kind: 'steps', label: 'steps', podUid: 'cache-0' }, 95_900, { kind: 'step', step: 'pull-started', container: 'redis', detail: 'redis:7' });
  film.span(containerLane('cache-0', 'redis', 1), 95_900, container('app', 'starting', { reason: 'ContainerCreating' })).span(containerLane('cache-0', 'redis', 1), 106_200, container('app', 'ready'));
  film.span(containerLane('thumb-6qx9p', 'resize', 1), 33_000, container('app', 'ready')).span(containerLane('thumb-6qx9p', 'resize', 1), 64_000, container('app', 'succeeded', { exitCode: 0, reason: 'Completed' }));
  film.span(containerLane('search-0', 'search', 1), 6000, container('app', 'ready'));
  film.span(containerLane('migrate-4c8tz', 'migrate', 1), 5000, container('app', 'not-ready')).span(containerLane('migrate-4c8tz', 'migrate', 1), 14_000, container('app', 'failed', { exitCode: 1, reason: 'Error' }));
}

function addCluster(film: FilmBuilder): void {
  const node = (name: string) => ({ id: `node/${name}`, kind: 'node' as const, label: name });
  const gi = 1024 ** 3;
  const base = { kind: 'node' as const, schedulable: true, taints: [], pressures: [], cpuMilli: 4000, memoryBytes: 4 * gi, podCapacity: 110, alive: true, ready: 'True' as const };
  film.span(node('node-1'), 0, { ...base, cpuRequestedMilli: 2500, memoryRequestedBytes: 1.7 * gi, pods: 6 });
  film.span(node('node-2'), 0, { ...base, cpuRequestedMilli: 1000, memoryRequestedBytes: gi, pods: 2 });
  film.span(node('node-2'), 21_000, { ...base, cpuRequestedMilli: 1000, memoryRequestedBytes: gi, pods: 2, alive: false });
  film.span(node('node-2'), 70_000, { ...base, ready: 'Unknown', cpuRequestedMilli: 1000, memoryRequestedBytes: gi, pods: 2, alive: false, taints: ['node.kubernetes.io/unreachable:NoExecute'] });
  const service = { id: 'service/default/web', kind: 'service' as const, label: 'web', namespace: 'default' };
  const endpoint = (n: number, ready: boolean, terminating = false) => ({ podUid: `web-${n}`, podName: `web-${n}`, address: `10.244.1.${6 + n}`, ready, serving: ready || terminating, terminating });
  const steps: [number, [number, boolean, boolean?][]][] = [[200, [[1, false], [2, false], [0, false]]], [22_100, [[1, false], [2, false], [0, true]]], [24_100, [[1, false], [2, true], [0, true]]], [25_400, [[1, true], [2, true], [0, true]]], [89_100, [[1, true], [2, true], [0, false, true]]], [100_400, [[1, false], [2, true], [0, false, true]]], [110_500, [[1, true], [2, true], [0, false, true]]]];
  for (const [at, list] of steps) film.span(service, at, { kind: 'service', type: 'ClusterIP', clusterIP: '10.96.0.20', ports: ['80/TCP'], endpoints: list.map(([n, ready, t]) => endpoint(n, ready, t)) });
  const inputs = { id: 'inputs', kind: 'inputs' as const, label: 'inputs' };
  for (const [at, summary] of [[21, 'kubelet stopped · node-2'], [88, 'db outage'], [89, 'delete web-0']] as const) film.mark(inputs, at * 1000, { kind: 'input', summary, input: null });
  const requests = { id: 'requests/load', kind: 'requests' as const, label: 'svc/web' };
  const answers = (t: number) => (t < 22 ? [0, 12] : t < 88 ? [12, 0] : t < 89 ? [8, 4] : t < 100 ? [6, 6] : t < 101 ? [10, 2] : [12, 0]);
  for (let t = 0; t < 112; t += 1) film.mark(requests, t * 1000, { kind: 'request', ok: answers(t)[0] ?? 0, failed: answers(t)[1] ?? 0, outcome: '' });
}
