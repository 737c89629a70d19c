import { forbidden, invalid, notSupported, required } from '../meta/field-error.ts';
import { notNegative, oneMember, present, ruled, type Errors } from '../meta/check.ts';
import { httpHeaderNameProblems, portNameProblems, portProblems } from '../meta/names.ts';
import type { HTTPGetAction, IntOrString, Lifecycle, Probe } from '../schema/types.ts';

export function validatePort(errors: Errors, path: string, port: IntOrString | undefined): void {
  if (typeof port === 'string') ruled(errors, path, port, portNameProblems);
  else for (const problem of portProblems(port ?? 0)) errors.push(invalid(path, port ?? 0, problem));
}

function validateHttpGet(errors: Errors, path: string, http: HTTPGetAction): void {
  present(errors, `${path}.path`, http.path);
  validatePort(errors, `${path}.port`, http.port);
  if (http.scheme !== 'HTTP' && http.scheme !== 'HTTPS') errors.push(notSupported(`${path}.scheme`, http.scheme, ['HTTP', 'HTTPS']));
  for (const header of http.httpHeaders ?? []) ruled(errors, `${path}.httpHeaders`, header.name ?? '', httpHeaderNameProblems);
}

type Handler = Partial<Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'>> & { sleep?: { seconds: number } };

const members = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];

function validateHandler(errors: Errors, path: string, handler: Handler, graceSeconds: number): void {
  const count = oneMember(errors, path, handler, members, 'handler type', (member) => {
    const at = `${path}.${member}`;
    if (member === 'exec') present(errors, `${at}.command`, handler.exec?.command);
    else if (member === 'httpGet') validateHttpGet(errors, at, handler.httpGet as HTTPGetAction);
    else if (member === 'tcpSocket') validatePort(errors, `${at}.port`, handler.tcpSocket?.port);
    else if (member === 'grpc') validatePort(errors, `${at}.port`, handler.grpc?.port);
    else {
      const seconds = handler.sleep?.seconds ?? 0;
      if (seconds < 0 || seconds > graceSeconds) errors.push(invalid(at, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`));
    }
  });
  if (count === 0) errors.push(required(path, 'must specify a handler type'));
}

const counters = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'] as const;

/** Upstream: validateLivenessProbe, validateReadinessProbe, validateStartupProbe. */
export function validateProbe(errors: Errors, path: string, kind: 'livenessProbe' | 'readinessProbe' | 'startupProbe', probe: Probe | undefined, graceSeconds: number): void {
  if (probe === undefined) return;
  const at = `${path}.${kind}`;
  validateHandler(errors, at, probe, graceSeconds);
  for (const field of counters) notNegative(errors, `${at}.${field}`, probe[field]);
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) errors.push(invalid(`${at}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'));
  if (kind === 'readinessProbe') {
    if (grace !== undefined) errors.push(invalid(`${at}.terminationGracePeriodSeconds`, grace, 'must not be set for readinessProbes'));
  } else if (probe.successThreshold !== 1) errors.push(invalid(`${at}.successThreshold`, probe.successThreshold ?? 0, 'must be 1'));
}

const signals = new Set(
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX'
    .split(' ').map((name) => `SIG${name}`),
);
const isSignal = (name: string) => signals.has(name) || /^SIGRTMIN\+([1-9]|1[0-5])$|^SIGRTMAX-([1-9]|1[0-4])$/.test(name);

export function validateLifecycle(errors: Errors, path: string, lifecycle: Lifecycle | undefined, graceSeconds: number, os: string | undefined): void {
  if (lifecycle?.postStart !== undefined) validateHandler(errors, `${path}.postStart`, lifecycle.postStart, graceSeconds);
  if (lifecycle?.preStop !== undefined) validateHandler(errors, `${path}.preStop`, lifecycle.preStop, graceSeconds);
  const signal = lifecycle?.stopSignal;
  if (signal === undefined) return;
  const at = `${path}.stopSignal`;
  if (os === undefined) errors.push(forbidden(at, 'may not be set for containers with empty `spec.os.name`'));
  else if (os === 'windows' && signal !== 'SIGKILL' && signal !== 'SIGTERM') errors.push(notSupported(at, signal, ['SIGKILL', 'SIGTERM']));
  else if (os === 'linux' && !isSignal(signal)) errors.push(notSupported(at, signal, [...signals]));
}
