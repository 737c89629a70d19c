/** The REST surface as kubectl sees it: one synchronous question and answer. */
export interface RestRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** Text, or JSON data. */
  body?: unknown;
}

export interface RestResponse {
  code: number;
  headers: Record<string, string>;
  body: unknown;
  warnings: string[];
}

/** All that kubectl knows of a cluster. The same code runs against the simulated one, `serve`, or a real one behind an adapter. */
export interface ApiClient {
  /** Wall clock, milliseconds since the Unix epoch. */
  readonly epochMs: number;
  request(request: RestRequest): RestResponse;
  /** Starts a command in a container; the outcome is there later. */
  startExec(target: { namespace: string; pod: string; container: string }, command: string[], stdin?: string): string;
  execOutcome(id: string): { stdout: string; stderr: string; exitCode: number } | undefined;
}

export interface KubectlEnvironment {
  client: ApiClient;
  namespace: string;
  stdin?: string;
  /** The working directory: file name -> text. */
  files?: Record<string, string>;
}

/** `waiting`: the command goes on in simulated time; call resume with its plain-data state a moment later. Outputs are all that was printed so far. */
export type KubectlOutcome =
  | { status: 'done'; stdout: string; stderr: string; exit: number }
  | { status: 'waiting'; stdout: string; stderr: string; state: unknown };
