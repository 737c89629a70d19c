import type { SimTime } from '../sim/time.ts';

/**
 * What runs inside a container. The container runtime owns the container (files, log, signals); a program is a resumable machine over simulated
 * time whose whole state is plain data: it is stepped, does what takes no time, and says when it wants to be stepped again.
 */
export interface Process {
  /** 'shell' (also a lone busybox command), 'server', 'behavior', ... */
  program: string;
  /** The program's own state: plain data. */
  state: unknown;
}

/** Why a process is stepped. */
export type Wake =
  | { kind: 'start' }
  | { kind: 'timer' }
  | { kind: 'signal'; signal: SignalName }
  /** Bytes typed by a user into an interactive process. */
  | { kind: 'stdin'; text: string };

export type SignalName = 'SIGTERM' | 'SIGKILL' | 'SIGINT' | 'SIGQUIT' | 'SIGHUP' | 'SIGUSR1' | 'SIGUSR2' | 'SIGWINCH';

export type StepResult =
  /** Runs on; step again at `wakeAt` (undefined: only a signal or input wakes it). */
  | { status: 'running'; wakeAt?: SimTime }
  /** Exit codes as a container runtime reports them: 128 + n for a signal. */
  | { status: 'exited'; exitCode: number };

/** What the program to start is told. */
export interface ProcessSpec {
  image: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  env: Record<string, string>;
  ports: { name?: string; containerPort: number; protocol: string }[];
  /** PID 1 gets no default signal handlers; an exec'd process does, as does PID 1 under shareProcessNamespace. */
  pid1: boolean;
  /** The behaviour block in force, already parsed. */
  behavior?: Behavior;
  memoryLimitBytes?: number;
  stdin?: boolean;
  /** Which run of the container this is, from 1 (its attempt + 1); absent: the first. */
  run?: number;
}

export type StartResult =
  /** `assumption`: a guess of ours, to be said on the page. */
  | { ok: true; process: Process; assumption?: string; stopSignal: SignalName }
  /** The runtime's error text, e.g. `exec: "nosuch": executable file not found in $PATH`; exit code 126, 127 or 128. */
  | { ok: false; error: string; exitCode: number };

/** A file as seen by a program. */
export interface FileStat {
  kind: 'file' | 'directory';
  size: number;
  mode: number;
  /** Simulated time of the last change. */
  changedAt: SimTime;
}

export type FileError = 'ENOENT' | 'EROFS' | 'EISDIR' | 'ENOTDIR' | 'EEXIST' | 'EACCES' | 'ENOSPC' | 'ENOTEMPTY';

/** The container's file system: image layers, a writable layer, mounted volumes (shared between the containers of a pod). Paths are absolute. */
export interface Files {
  stat(path: string): FileStat | undefined;
  read(path: string): string | { error: FileError };
  /** Creates or replaces (append: adds to) a file. */
  write(path: string, content: string, append: boolean): FileError | undefined;
  makeDirectory(path: string, parents: boolean): FileError | undefined;
  remove(path: string, recursive: boolean): FileError | undefined;
  rename(from: string, to: string): FileError | undefined;
  setMode(path: string, mode: number): FileError | undefined;
  /** Names in a directory, sorted. */
  list(path: string): string[] | { error: FileError };
}

export interface HostDnsAnswer {
  code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL' | 'TIMEOUT';
  addresses: string[];
  latencyMs: number;
}

export type HostConnection =
  | { ok: true; latencyMs: number; address: string; port: number }
  | { ok: false; error: 'refused' | 'timeout' | 'unreachable' | 'reset'; latencyMs: number; address: string; port: number };

export type HostHttpAnswer =
  | { ok: true; status: number; headers: Record<string, string>; body: string; latencyMs: number }
  | { ok: false; error: 'refused' | 'timeout' | 'unreachable' | 'reset' | 'not-http'; latencyMs: number; address: string; port: number };

/**
 * What a program may use while it is stepped. All effects happen at this instant. An answer of the network is for this instant and carries the time
 * it takes: the program keeps it in its state and wakes after that time.
 */
export interface Host {
  readonly now: SimTime;
  readonly epochMs: number;
  random(bound: number): number;
  readonly files: Files;
  readonly hostname: string;
  readonly podIP: string;
  readonly uid: number;
  /** One line or part of a line of output; the runtime splits lines. */
  output(stream: 'stdout' | 'stderr', text: string): void;
  /** The process listens (or stops listening) on a port of the pod's address. */
  listen(port: number): 'ok' | 'in-use';
  unlisten(port: number): void;
  /** resolv.conf of the pod and its nameserver's address. */
  readonly dns: { nameserver: string; searches: string[]; ndots: number };
  resolve(name: string, type: 'A' | 'AAAA'): HostDnsAnswer;
  connect(address: string, port: number): HostConnection;
  http(request: { method: string; address: string; port: number; path: string; headers?: Record<string, string>; body?: string; scheme?: 'http' | 'https' }): HostHttpAnswer;
  /** Sends a signal to a process of this container by pid (1: the main process). False: no such process. */
  kill(pid: number, signal: SignalName): boolean;
  processes(): { pid: number; command: string }[];
  /** The memory that this process holds now, in bytes. Over the container's limit the kernel kills. */
  setMemory(bytes: number): void;
  /** Something was used that makes the outcome depend on more than this container's own files and processes (time, chance, network). */
  markUnsteady(): void;
}

/** A question that reaches a listening process. */
export type ServerRequest =
  | { kind: 'http'; method: string; path: string; port: number; headers: Record<string, string> }
  | { kind: 'tcp'; port: number }
  | { kind: 'grpc-health'; port: number; service: string };

export type ServerAnswer =
  | { kind: 'http'; status: number; headers: Record<string, string>; body: string; delayMs: number; steadyUntil?: SimTime }
  | { kind: 'accepted'; delayMs: number; steadyUntil?: SimTime }
  | { kind: 'grpc-health'; outcome: 'SERVING' | 'NOT_SERVING' | 'unimplemented'; delayMs: number; steadyUntil?: SimTime }
  /** Accepts and never answers. */
  | { kind: 'hang'; steadyUntil?: SimTime }
  /** It answers, but not in this protocol. */
  | { kind: 'not-http'; steadyUntil?: SimTime };

/** The functions that the runtime calls; src/workload/programs.ts implements them for all programs. */
export interface Programs {
  start(spec: ProcessSpec, host: Host): StartResult;
  step(process: Process, wake: Wake, host: Host): StepResult;
  /** How a running process answers on a port it listens on. May change the process's state (counters, access log). */
  answer(process: Process, request: ServerRequest, host: Host): ServerAnswer;
}

/**
 * How an application behaves, when neither the shell nor the image's own knowledge says it: scenario `workloads:` or the pod annotation
 * kubelapse.dev/behavior.<container> (YAML). Times are Go durations ('3s') from the start of the container.
 */
export interface Behavior {
  /** Listens and answers only after this long. */
  startsAfter?: string;
  ports?: number[];
  /** Answers by path, first match; `from`/`until` bound them in time since the start. `hang`: answers nothing at all. */
  http?: { path: string; status?: number; body?: string; delay?: string; from?: string; until?: string; hang?: boolean }[];
  grpc?: { service?: string; status: 'SERVING' | 'NOT_SERVING'; from?: string; until?: string }[];
  /** Ends by itself. With `unlessEnv`, only if that variable is unset or empty; `run`: only in the n-th run (1 = first), else all. */
  exits?: { after: string; code: number; unlessEnv?: string; run?: number; message?: string }[];
  /** Memory held over time, straight lines between points. */
  memory?: { at: string; bytes: string }[];
  /** Reaction to the stop signal: exit after so long with a code, or ignore it. */
  onTerm?: { exitAfter?: string; code?: number; ignore?: boolean };
  log?: { at?: string; every?: string; text: string }[];
}
