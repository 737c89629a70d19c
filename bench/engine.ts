import { parseScenario } from '../src/scenarios/parse.ts';
import { Session } from '../src/worker/history/session.ts';
import { Run, scenarioInputs } from '../src/worker/history/run.ts';

interface Measured {
  name: string;
  cpuSeconds: number;
  simulatedSeconds: number;
  events: number;
  note: string;
}

const nodes = (count: number) => `nodes: [{ name: node, count: ${count}, cpu: "64", memory: 256Gi, pods: "250" }]`;

const indent = (text: string, by: number) => text.split('\n').map((line) => `${' '.repeat(by)}${line}`).join('\n');

function scenarioOf(head: string, manifest: string, until: string): string {
  return `title: bench\n${head}\nsteps:\n  - at: 0s\n    kubectl: apply -f -\n    stdin: |\n${indent(manifest, 6)}\nuntil: ${until}\n`;
}

const deployment = (replicas: number, container: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: app
${indent(container, 10)}`;

const plain = 'image: nginx:1.27';
const probed = `image: nginx:1.27
startupProbe: { httpGet: { path: /, port: 80 }, periodSeconds: 2 }
livenessProbe: { httpGet: { path: /, port: 80 }, periodSeconds: 10 }
readinessProbe: { httpGet: { path: /, port: 80 }, periodSeconds: 5 }`;
const crashing = 'image: busybox:1.36\ncommand: [sh, -c, "sleep 1; exit 1"]';

function cpu(work: () => void): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1e6;
}

const readyPods = (run: Run) => run.cluster.store.list('pods').filter((pod) => pod.status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True')).length;

function play(name: string, text: string, until: (run: Run) => boolean, stepMs: number): Measured {
  const scenario = parseScenario(text, name);
  let run: Run | undefined;
  const cpuSeconds = cpu(() => {
    run = new Run(scenario, scenarioInputs(scenario), 'playground', false);
    while (run.now < scenario.untilMs && !until(run)) run.runTo(Math.min(scenario.untilMs, run.now + stepMs));
  });
  const done = run as Run;
  return { name, cpuSeconds, simulatedSeconds: done.now / 1000, events: done.cluster.simulation.eventCount, note: `${readyPods(done)} pods ready` };
}

function stepBack(): Measured {
  const text = scenarioOf(nodes(5), deployment(200, probed), '60s');
  const session = new Session({ scenario: text, seed: 7, inputs: [] });
  session.run.runTo(60_000);
  session.takeDelta();
  let ask = 0;
  const { store } = session.run.cluster;
  const times = Array.from({ length: 20 }, (_, index) => 60_000 - index * 2000);
  ask = cpu(() => {
    for (const at of times) store.list('pods', 'default', store.revisionAt(at));
  }) / times.length;
  const restart = cpu(() => {
    session.input({ at: 30_000, kind: 'kubectl', line: 'get pods' });
  });
  return { name: 'step back', cpuSeconds: ask, simulatedSeconds: 60, events: session.run.cluster.simulation.eventCount, note: `all 200 pods of a past moment in ${(ask * 1000).toFixed(1)} ms; acting 30 s back in ${(restart * 1000).toFixed(0)} ms` };
}

const cases: Record<string, () => Measured> = {
  boot: () => play('boot', 'title: boot\nsteps: []\nuntil: 60s\n', () => false, 60_000),
  'pods-1000': () => play('1000 pods', scenarioOf(nodes(20), deployment(1000, plain), '300s'), (run) => readyPods(run) >= 1000, 5000),
  idle: () => play('idle', scenarioOf(nodes(5), deployment(100, probed), '3600s'), () => false, 3_600_000),
  'crash-loop': () => play('crash loop', scenarioOf(nodes(2), deployment(20, crashing), '3600s'), () => false, 3_600_000),
  'step-back': stepBack,
};

/** Runs the named cases (default: all) and prints a table, or JSON lines with --json. */
export async function runBench(args: string[]): Promise<number> {
  const json = args.includes('--json');
  const names = args.filter((arg) => !arg.startsWith('--'));
  for (const [key, work] of Object.entries(cases)) {
    if (names.length > 0 && !names.includes(key)) continue;
    const { name, cpuSeconds, simulatedSeconds, events, note } = work();
    const speed = simulatedSeconds / cpuSeconds;
    process.stdout.write(json ? `${JSON.stringify({ name, cpuSeconds, simulatedSeconds, events, note })}\n`
      : `${name.padEnd(12)} ${cpuSeconds.toFixed(3).padStart(8)} s CPU  ${speed.toFixed(0).padStart(8)}x real time  ${String(events).padStart(8)} events  ${note}\n`);
  }
  return 0;
}
