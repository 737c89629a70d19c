import { triedClosedDoor } from './doors.ts';
import { answer } from './history/ask.ts';
import { Session } from './history/session.ts';
import type { FromWorker, SessionSource, ToWorker } from './protocol.ts';

/**
 * The worker's side: one session, run ahead in slices so that a command is answered within a frame.
 * In the built page it begins with the part of the engine that the first film needs; the rest is loaded behind that film. Acts and questions wait
 * for it, and a film that turns out to need it is made anew when it is there: the same film, only later.
 */

/** Events handled before the worker looks for messages again: a few milliseconds of work. */
const sliceEvents = 400;

let session: Session | undefined;
let runTo = 0;
let scheduled = false;
const early: ToWorker[] = [];
let source: SessionSource | undefined;
let rest: 'not asked for' | 'on its way' | 'here' = 'not asked for';

const post = (message: FromWorker) => self.postMessage(message);

const channel = new MessageChannel();
channel.port1.onmessage = () => {
  scheduled = false;
  guarded(advance);
};

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  channel.port2.postMessage(null);
}

/** Work that fails for want of the rest is done again when that is there. */
function guarded(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (rest !== 'here' && triedClosedDoor()) {
      session = undefined;
      loadRest();
    } else {
      report(error);
    }
  }
}

function report(error: unknown): void {
  const bug = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error);
  const { scenario = '', seed = 0, inputs = [] } = source ?? {};
  post({ type: 'bug', message: bug, source: { scenario, seed, inputs: session?.branch.inputs ?? inputs } });
}

function loadRest(): void {
  if (rest !== 'not asked for') return;
  rest = 'on its way';
  import('./rest.ts').then(() => guarded(restIsHere), (error: unknown) => {
    rest = 'not asked for';
    report(error);
  });
}

function restIsHere(): void {
  rest = 'here';
  if (session !== undefined) takeEarly();
  else if (source !== undefined) begin(source);
}

function begin(from: SessionSource): void {
  session = new Session(from);
  schedule();
  if (rest === 'here') takeEarly();
}

/** What was asked or done before the film was there, or the engine whole. */
function takeEarly(): void {
  for (const message of early.splice(0)) receive(message);
}

function advance(): void {
  if (session === undefined) return;
  const done = session.run.runTo(runTo, sliceEvents);
  const delta = session.takeDelta();
  if (rest !== 'here' && triedClosedDoor()) throw new Error('the film needs the rest of the engine');
  post({ type: 'film', delta });
  if (!done) return schedule();
  loadRest();
}

function receive(message: ToWorker): void {
  if (message.type === 'load') {
    ({ source, runTo } = message);
    session = undefined;
    // While one film waits for the rest, the next one does as well.
    if (rest === 'here' || !triedClosedDoor()) begin(source);
    return;
  }
  if (message.type === 'run') {
    runTo = Math.max(message.runTo, session?.run.now ?? runTo);
    return session === undefined ? undefined : schedule();
  }
  if (session === undefined || rest !== 'here') {
    early.push(message);
    return loadRest();
  }
  act(session, message);
}

function act(current: Session, message: Exclude<ToWorker, { type: 'load' | 'run' }>): void {
  switch (message.type) {
    case 'switch-branch':
      current.switchBranch(message.branch);
      runTo = Math.max(runTo, message.runTo);
      return schedule();
    case 'input': {
      const commandsBefore = current.commandCount(message.input.at);
      const branch = current.input(message.input);
      const result = current.settleCommand(commandsBefore);
      post({ type: 'film', delta: current.takeDelta() });
      post({ type: 'input-result', id: message.id, branch, ...result });
      return schedule();
    }
    case 'ask':
      return ask(current, message);
  }
}

function ask(current: Session, message: Extract<ToWorker, { type: 'ask' }>): void {
  try {
    post({ type: 'answer', id: message.id, answer: answer(current, message.question as never) });
  } catch (error) {
    post({ type: 'answer', id: message.id, answer: { error: error instanceof Error ? error.message : String(error) } });
    throw error;
  }
}

self.onmessage = (event: MessageEvent<ToWorker>) => guarded(() => receive(event.data));
