import { createTestServer, type TestServer } from '../../cluster/kube-apiserver/testing/test-server.ts';
import type { ApiObject } from '../../api/resources.ts';
import type { ApiClient, KubectlOutcome } from '../contract.ts';
import { resumeKubectl, startKubectl } from '../kubectl.ts';
import { splitCommandLine } from '../words.ts';

type Files = Record<string, string>;

/** A command line before an API server that nobody else uses: time passes when a test says so. */
export interface Stage {
  server: TestServer;
  put(object: object): Stage;
  /** Starts a command; what it has printed so far. */
  start(line: string, files?: Files): KubectlOutcome;
  /** Lets time pass, then looks again. */
  later(outcome: KubectlOutcome, ms: number): KubectlOutcome;
  /** A command that ends at once. */
  run(line: string, files?: Files): { stdout: string; stderr: string; exit: number };
}

export function stage(): Stage {
  const server = createTestServer();
  const client: ApiClient = {
    get epochMs() {
      return server.env.epochMs;
    },
    request: ({ method, path, query, headers, body }) => {
      const text = new URLSearchParams(query).toString().replaceAll('+', '%20');
      return server.http(method, text === '' ? path : `${path}?${text}`, body, headers);
    },
    startExec: () => 'none',
    execOutcome: () => undefined,
  };
  const self: Stage = {
    server,
    put: (object) => {
      server.put(object as ApiObject);
      return self;
    },
    start: (line, files = {}) => startKubectl(splitCommandLine(line), { client, namespace: 'default', files }),
    later: (outcome, ms) => {
      server.advance(ms);
      return outcome.status === 'waiting' ? resumeKubectl(outcome.state, { client, namespace: 'default' }) : outcome;
    },
    run: (line, files) => {
      const outcome = self.start(line, files);
      if (outcome.status === 'waiting') throw new Error(`${line} waits`);
      const { stdout, stderr, exit } = outcome;
      return { stdout, stderr, exit };
    },
  };
  return self;
}

export const meta = (name: string, more: object = {}) => ({ name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '', creationTimestamp: '2026-01-05T08:30:00Z', ...more });

export const pod = (name: string, { metadata = {}, spec = {}, status = {} }: { metadata?: object; spec?: object; status?: object } = {}) => ({
  apiVersion: 'v1', kind: 'Pod', metadata: meta(name, metadata), spec: { containers: [{ name: 'app', image: 'nginx:1.25' }], nodeName: 'node-a', terminationGracePeriodSeconds: 30, ...spec }, status: { phase: 'Running', ...status },
});

export const node = (name: string) => ({ apiVersion: 'v1', kind: 'Node', metadata: { ...meta(name), namespace: undefined }, spec: {}, status: {} });
