import fc from 'fast-check';
import type { Fault } from '../../scenarios/schema.ts';
import type { TestCluster } from './test-cluster.ts';

/** One thing that is done to a cluster, and how long it is then left alone. Short, so that a failing list of them can be read and pinned. */
export type Act = { waitMs: number } & ({ apply: string } | { kubectl: string } | { fault: Fault });

export function perform(cluster: TestCluster, act: Act): void {
  if ('apply' in act) cluster.apply(act.apply);
  else if ('kubectl' in act) cluster.send(act.kubectl);
  else cluster.fault(act.fault);
  cluster.runFor(act.waitMs);
}

const names = ['a', 'b', 'c'] as const;
const nodeNames = ['node-1', 'node-2', 'node-3'] as const;

const containers: readonly string[] = [
  '{ name: app, image: "nginx:1.25" }',
  '{ name: app, image: "nginx:1.27", readinessProbe: { httpGet: { path: /, port: 80 }, periodSeconds: 2 }, livenessProbe: { tcpSocket: { port: 80 }, periodSeconds: 3 } }',
  '{ name: app, image: "nginx:1.25", readinessProbe: { httpGet: { path: /no, port: 80 }, periodSeconds: 1 } }',
  '{ name: app, image: "nginx:1.25", livenessProbe: { httpGet: { path: /no, port: 80 }, periodSeconds: 1, failureThreshold: 2 }, startupProbe: { httpGet: { path: /, port: 80 } } }',
  '{ name: app, image: "nginx:1.25", lifecycle: { postStart: { exec: { command: [sh, -c, "sleep 2"] } }, preStop: { exec: { command: [sh, -c, "sleep 4"] } } } }',
  '{ name: app, image: "nginx:1.25", lifecycle: { postStart: { exec: { command: [sh, -c, "exit 1"] } } } }',
  '{ name: app, image: "busybox:1.36", command: [sh, -c, "sleep 5; exit 1"] }',
  '{ name: app, image: "busybox:1.36", command: [sh, -c, "echo done"] }',
  '{ name: app, image: "busybox:1.36", command: [sleep, "3600"] }',
  '{ name: app, image: "busybox:1.36", command: [no-such-program] }',
  '{ name: app, image: "busybox:1.36", command: [sh, -c, "trap \'exit 3\' TERM; while true; do sleep 1; done"] }',
  '{ name: app, image: "nginx:nope" }',
  '{ name: app, image: "nginx:1.25", imagePullPolicy: Always }',
  '{ name: app, image: "nginx:1.25", envFrom: [{ configMapRef: { name: none } }] }',
  '{ name: app, image: "nginx:1.25", resources: { requests: { cpu: 700m, memory: 64Mi }, limits: { memory: 64Mi } } }',
  '{ name: app, image: "nginx:1.25", resources: { requests: { cpu: "5" } } }',
  '{ name: app, image: "nginx:1.25", ports: [{ containerPort: 80, hostPort: 8080 }] }',
  '{ name: app, image: "nginx:1.25" }, { name: side, image: "busybox:1.36", command: [sh, -c, "sleep 7"] }',
];

const specs: readonly string[] = [
  '', '', '', 'terminationGracePeriodSeconds: 3', 'terminationGracePeriodSeconds: 0', 'activeDeadlineSeconds: 8', 'hostNetwork: true', 'shareProcessNamespace: true',
  'initContainers: [{ name: init, image: "busybox:1.36", command: [sh, -c, "sleep 2"] }]',
  'initContainers: [{ name: init, image: "busybox:1.36", command: [sh, -c, "exit 1"] }]',
  'initContainers: [{ name: sidecar, image: "nginx:1.25", restartPolicy: Always }, { name: init, image: "busybox:1.36", command: [sh, -c, "sleep 1"] }]',
  'nodeSelector: { disk: ssd }', 'schedulingGates: [{ name: wait }]', 'priorityClassName: system-cluster-critical',
  'volumes: [{ name: v, secret: { secretName: none } }]', 'topologySpreadConstraints: [{ maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: a } } }]',
];

const podSpec = fc.tuple(fc.constantFrom(...containers), fc.constantFrom(...specs)).map(([list, more]) => ({ list, more }));
const template = (name: string, { list, more }: { list: string; more: string }, policy: string, indent: string) =>
  [`metadata: { labels: { app: ${name} } }`, 'spec:', ...(policy === '' ? [] : [`  restartPolicy: ${policy}`]), ...(more === '' ? [] : [`  ${more}`]), `  containers: [${list}]`].map((line) => `${indent}${line}`).join('\n');

const name = fc.constantFrom(...names);
const node = fc.constantFrom(...nodeNames);

const manifest = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(name, podSpec, fc.constantFrom('', 'Never', 'OnFailure'), fc.constantFrom('', '', '', '\n  nodeName: node-1')).map(([n, spec, policy, more]) => `apiVersion: v1\nkind: Pod\n${template(n, spec, policy, '').replace('metadata: {', `metadata: { name: ${n},`)}${more}`) },
  { weight: 5, arbitrary: fc.tuple(name, podSpec, fc.integer({ min: 0, max: 4 }), fc.constantFrom('strategy: { type: Recreate }', 'strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }', 'minReadySeconds: 3', 'progressDeadlineSeconds: 10', 'revisionHistoryLimit: 0')).map(([n, spec, replicas, more]) =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: ${n} }\nspec:\n  replicas: ${replicas}\n  ${more}\n  selector: { matchLabels: { app: ${n} } }\n  template:\n${template(n, spec, '', '    ')}`) },
  { weight: 2, arbitrary: fc.tuple(name, podSpec, fc.constantFrom('Never', 'OnFailure'), fc.constantFrom('completions: 2', 'completions: 3\n  parallelism: 2\n  completionMode: Indexed', 'backoffLimit: 1', 'activeDeadlineSeconds: 6', 'ttlSecondsAfterFinished: 3', 'suspend: true')).map(([n, spec, policy, more]) =>
    `apiVersion: batch/v1\nkind: Job\nmetadata: { name: ${n} }\nspec:\n  ${more}\n  template:\n${template(n, spec, policy, '    ')}`) },
  { weight: 1, arbitrary: fc.tuple(name, podSpec, fc.integer({ min: 0, max: 3 })).map(([n, spec, replicas]) =>
    `apiVersion: apps/v1\nkind: StatefulSet\nmetadata: { name: ${n} }\nspec:\n  replicas: ${replicas}\n  serviceName: ${n}\n  selector: { matchLabels: { app: ${n} } }\n  template:\n${template(n, spec, '', '    ')}`) },
  { weight: 1, arbitrary: fc.tuple(name, podSpec).map(([n, spec]) =>
    `apiVersion: apps/v1\nkind: DaemonSet\nmetadata: { name: ${n} }\nspec:\n  selector: { matchLabels: { app: ${n} } }\n  template:\n${template(n, spec, '', '    ')}`) },
  { weight: 1, arbitrary: fc.tuple(name, podSpec).map(([n, spec]) =>
    `apiVersion: batch/v1\nkind: CronJob\nmetadata: { name: ${n} }\nspec:\n  schedule: "* * * * *"\n  jobTemplate:\n    spec:\n      template:\n${template(n, spec, 'Never', '        ')}`) },
  { weight: 2, arbitrary: name.map((n) => `apiVersion: v1\nkind: Service\nmetadata: { name: ${n} }\nspec:\n  selector: { app: ${n} }\n  ports: [{ port: 80 }]`) },
  { weight: 1, arbitrary: name.map((n) => `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: { name: ${n} }\nspec:\n  minAvailable: 1\n  selector: { matchLabels: { app: ${n} } }`) },
);

const kind = fc.constantFrom('pod', 'pod', 'deployment', 'job', 'service', 'statefulset', 'daemonset', 'cronjob');
const lines = fc.oneof(
  fc.tuple(kind, name, fc.constantFrom('', ' --wait=false', ' --force --grace-period=0', ' --cascade=orphan', ' --cascade=foreground', ' --grace-period=1', ' --now')).map(([k, n, flags]) => `delete ${k} ${n}${flags}`),
  fc.constantFrom('delete pods --all --wait=false', 'delete deployments --all', 'delete pods --all --force --grace-period=0', 'get all', 'describe pods', 'get events'),
  fc.tuple(name, fc.integer({ min: 0, max: 5 })).map(([n, count]) => `scale deployment ${n} --replicas=${count}`),
  fc.tuple(name, fc.constantFrom('nginx:1.26', 'nginx:nope', 'busybox:1.36')).map(([n, image]) => `set image deployment/${n} app=${image}`),
  fc.tuple(fc.constantFrom('restart', 'undo', 'pause', 'resume', 'status'), name).map(([verb, n]) => `rollout ${verb} deployment/${n}`),
  fc.tuple(fc.constantFrom('cordon', 'uncordon', 'drain --ignore-daemonsets --force'), node).map(([verb, n]) => `${verb} ${n}`),
  fc.tuple(node, fc.constantFrom('key=value:NoSchedule', 'key=value:NoExecute', 'key-')).map(([n, taint]) => `taint nodes ${n} ${taint}`),
  fc.tuple(name, fc.constantFrom('app=other', 'app-', 'extra=x')).map(([n, label]) => `label pods -l app=${n} ${label} --overwrite`),
  name.map((n) => `exec ${n} -- kill 1`),
  fc.tuple(name, fc.constantFrom('{"metadata":{"finalizers":["example.com/hold"]}}', '{"metadata":{"finalizers":null}}', '{"spec":{"activeDeadlineSeconds":4}}')).map(([n, body]) => `patch pod ${n} -p '${body}'`),
  node.map((n) => `delete node ${n}`),
);

const faults: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ node, network: fc.constantFrom('down' as const, 'up' as const) }),
  fc.record({ node, kubelet: fc.constantFrom('stop' as const, 'start' as const) }),
  fc.record({ node, sandbox: name }),
  fc.record({ pod: name, kill: fc.constantFrom('TERM', 'KILL', 'SEGV') }),
  fc.record({ pod: name, probe: fc.constantFrom('liveness' as const, 'readiness' as const), result: fc.constantFrom('fail' as const, 'timeout' as const, 'none' as const) }),
  fc.record({ pod: name, memory: fc.constantFrom('200Mi', '30Gi') }),
  fc.record({ image: fc.constantFrom('nginx:1.25', 'nginx:1.26'), pull: fc.constantFrom('fail' as const, 'slow' as const, 'none' as const) }),
);

const waitMs = fc.oneof(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 12_000 }), fc.constant(45_000));

export const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ waitMs, apply: manifest }) },
  { weight: 5, arbitrary: fc.record({ waitMs, kubectl: lines }) },
  { weight: 3, arbitrary: fc.record({ waitMs, fault: faults }) },
);
