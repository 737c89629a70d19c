import { deepFreeze } from '../sim/plain.ts';
import { answerBehavior, startBehavior, stepBehavior, type BehaviorState } from './behavior.ts';
import type { Behavior, Host, Process, ProcessSpec, Programs, SignalName, StartResult } from './contract.ts';
import { imageFacts, type ImageFacts } from './images/facts.ts';
import { findProgram } from './images/program.ts';
import { isScript } from './images/servers.ts';
import { mayExist } from './shell/commands.ts';
import { answerOf, newTree, stepTree } from './shell/machine.ts';
import type { Tree } from './shell/state.ts';

export { knownImage, type ImageFacts } from './images/facts.ts';
export { parseBehavior } from './behavior.ts';

/** All that can run in a container. */
export const programs: Programs = {
  start,
  step: (process, wake, host) => (process.program === 'behavior' ? stepBehavior(process.state as BehaviorState, wake, host) : stepTree(process.state as Tree, wake, host)),
  answer: (process, request, host) => (process.program === 'behavior' ? answerBehavior(process.state as BehaviorState, request, host) : answerOf(process.state as Tree, request, host)),
};

/** A container's first process, or a command that is run in it (no command of the image is looked at then: `command` is given). */
function start(spec: ProcessSpec, host: Host): StartResult {
  const facts = imageFacts(spec.image);
  if (spec.behavior !== undefined) return behaves(spec, spec.behavior, facts.stopSignal);
  const argv = commandLine(spec, facts);
  const given = spec.command !== undefined || spec.args !== undefined;
  if (argv.length === 0 || (facts.unknown === true && spec.command === undefined)) return assumed(spec, facts, given);
  const found = findProgram(spec, host, argv);
  if (found.kind === 'missing') {
    // Of an image's own programs nothing can be known.
    if (mayExist(spec.image, argv[0] ?? '') || isOwnProgram(argv[0] ?? '')) return assumed(spec, facts, true);
    return { ok: false, error: found.error, exitCode: found.exitCode };
  }
  const tree = newTree({
    image: spec.image, argv: found.argv, cwd: spec.workingDir ?? facts.workingDir ?? '/', pid1: spec.pid1, interactive: spec.stdin === true,
    env: deepFreeze({ ...facts.env, ...homeOf(host), ...spec.env }), ports: tcpPorts(spec), ...(spec.memoryLimitBytes === undefined ? {} : { limitBytes: spec.memoryLimitBytes }),
  });
  const process: Process = { program: found.isServer ? 'server' : 'shell', state: tree };
  const guessed = found.isServer && guesses(argv);
  return { ok: true, process, stopSignal: facts.stopSignal, ...(guessed ? { assumption: assumptionOf(spec, facts, true) } : {}) };
}

const tcpPorts = ({ ports }: ProcessSpec): number[] => ports.filter(({ protocol }) => protocol === 'TCP' || protocol === '').map(({ containerPort }) => containerPort);

/** A script for an interpreter: what it does is not known. */
const guesses = (argv: readonly string[]): boolean => /^(\S*\/)?(python3?|node|npm|yarn|ruby|php|java|dotnet|go)$/.test(argv[0] ?? '') && argv.length > 1 && !argv.includes('http.server') && isScript(argv.slice(1));

const homeOf = (host: Host): Record<string, string> => ({ HOME: host.uid === 0 ? '/root' : '/' });

/** Kubernetes' command takes the place of ENTRYPOINT and then drops CMD; args take the place of CMD. */
function commandLine({ command, args }: ProcessSpec, { entrypoint, cmd }: ImageFacts): string[] {
  if (command !== undefined && command.length > 0) return [...command, ...(args ?? [])];
  return [...entrypoint, ...(args ?? cmd)];
}

/** '/app/server', './main', 'myapp': a program that only its author knows. */
const isOwnProgram = (name: string): boolean => /^(\/(app|opt|srv|usr\/src|workspace|home|code|ko-app)\/|\.\/)/.test(name);

function behaves(spec: ProcessSpec, behavior: Behavior, stopSignal: SignalName): StartResult {
  return { ok: true, process: { program: 'behavior', state: startBehavior(spec, deepFreeze(behavior)) }, stopSignal };
}

const plainServer: Behavior = deepFreeze({ startsAfter: '300ms', grpc: [{ status: 'SERVING' }] });

function assumptionOf(spec: ProcessSpec, facts: ImageFacts, given: boolean): string {
  const ports = tcpPorts(spec).join(', ');
  const what = given ? `what ${[...(spec.command ?? []), ...(spec.args ?? [])].join(' ')} does in ${spec.image}` : `what ${spec.image} does`;
  return `Not known: ${what}. Assumed: a server that ${ports === '' ? 'listens on no port' : `answers 200 on port ${ports}`} and ends with 0 on ${facts.stopSignal}. A behavior block says it better.`;
}

/** Nothing is known of it: a server on its declared ports that ends with 0 on SIGTERM. */
function assumed(spec: ProcessSpec, facts: ImageFacts, given: boolean): StartResult {
  const started = behaves(spec, plainServer, facts.stopSignal);
  return started.ok ? { ...started, assumption: assumptionOf(spec, facts, given) } : started;
}
