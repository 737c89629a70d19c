import { answer } from './history/ask.ts';
import { Session } from './history/session.ts';
import type { FromWorker, SessionSource, ToWorker } from './protocol.ts';

/** The worker's side: one session, run ahead in slices so that a command is answered within a frame. */

/** Events handled before the worker looks for messages again: a few milliseconds of work. */
const sliceEvents = 400;

let session: Session | undefined;
let runTo = 0;
let scheduled = false;
const early: ToWorker[] = [];
let source: SessionSource = { scenario: '', seed: 0, inputs: [] };

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

function guarded(work: () => void): void {
  try {
    work();
  } catch (error) {
    post({ type: 'bug', message: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error), source: currentSource() });
  }
}

const currentSource = (): SessionSource => (session === undefined ? source : { ...source, inputs: session.branch.inputs });

function advance(): void {
  if (session === undefined) return;
  const done = session.run.runTo(runTo, sliceEvents);
  post({ type: 'film', delta: session.takeDelta() });
  if (!done) schedule();
}

function receive(message: ToWorker): void {
  if (message.type === 'load') {
    source = message.source;
    session = new Session(message.source);
    runTo = message.runTo;
    for (const waiting of early.splice(0)) receive(waiting);
    return schedule();
  }
  if (session === undefined) {
    // Nothing is loaded yet: what is asked or done before the film is there waits for it.
    early.push(message);
    return;
  }
  switch (message.type) {
    case 'run':
      runTo = Math.max(message.runTo, session.run.now);
      return schedule();
    case 'switch-branch':
      session.switchBranch(message.branch);
      runTo = Math.max(runTo, message.runTo);
      return schedule();
    case 'input': {
      const commandsBefore = session.commandCount(message.input.at);
      const branch = session.input(message.input);
      const result = session.settleCommand(commandsBefore);
      post({ type: 'film', delta: session.takeDelta() });
      post({ type: 'input-result', id: message.id, branch, ...result });
      return schedule();
    }
    case 'ask':
      return ask(session, message);
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
