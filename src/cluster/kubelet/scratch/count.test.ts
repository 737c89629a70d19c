import { test } from 'vitest';
import { parseScenario } from '../../../scenarios/parse.ts';
import { Run, scenarioInputs } from '../../../worker/history/run.ts';
const probed = process.env.PROBED ? `
              readinessProbe: { httpGet: { path: /, port: 80 }, periodSeconds: 5 }
              livenessProbe: { httpGet: { path: /, port: 80 }, periodSeconds: 10 }` : '';
test('count', () => {
  const n = +(process.env.N ?? 100);
  const text = `title: bench
nodes: [{ name: node, count: 5, cpu: "64", memory: 256Gi, pods: "250" }]
steps:
  - at: 0s
    kubectl: apply -f -
    stdin: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: ${n}
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            containers:
            - name: app
              image: nginx:1.27${probed}
until: 3600s
`;
  const scenario = parseScenario(text, 'x');
  const run = new Run(scenario, scenarioInputs(scenario), 'playground', false);
  const counts: Record<string, number> = {};
  const sim = run.cluster.simulation as never as { handleNext: (at: number) => void; queue: { heap: { to: string; kind: string }[] } };
  const options = (sim as never as { options: { onEvent?: (e: { to: string; kind: string; payload: unknown }) => void } }).options;
  const old = options.onEvent;
  options.onEvent = (e) => { const k = e.to.replace(/\/.*/, '') + ' ' + e.kind + (e.kind === 'request' ? ' ' + JSON.stringify([(e.payload as never as {request:{resource:string,verb:string,subresource:string}}).request.resource, (e.payload as never as {request:{verb:string,subresource:string}}).request.verb, (e.payload as never as {request:{subresource:string}}).request.subresource]) : ''); counts[k] = (counts[k] ?? 0) + 1; old?.(e as never); };
  const until = +(process.env.T ?? 6000);
  run.runTo(until);
  console.log(Object.entries(counts).sort((a, b) => b[1] - a[1]).map(([k, v]) => `${(v / n).toFixed(2)} ${k}`).join('\n'));
  const pods = run.cluster.store.list('pods');
  console.log(pods.filter((p) => p.status.conditions?.some((c) => c.type === 'Ready' && c.status === 'True')).length, pods.length);
});
