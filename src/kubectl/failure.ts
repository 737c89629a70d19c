import type { Status } from '../api/schema/types.ts';
import type { ResourceInfo } from '../api/resources.ts';
import type { RestResponse } from './contract.ts';

/** A command that ends with an error: its text as kubectl prints it on stderr, ending in a newline, and the exit code. */
export class Failure extends Error {
  override name = 'Failure';
  constructor(readonly text: string, readonly exit = 1) {
    super(text);
  }
}

/** `error: …` once, and one newline at the end. Upstream: k8s.io/kubectl/pkg/cmd/util/helpers.go checkErr. */
export function plainError(message: string): Failure {
  return new Failure(`${message.startsWith('error: ') ? '' : 'error: '}${message}${message.endsWith('\n') ? '' : '\n'}`);
}

/** What kubectl makes of a Status: causes of an Invalid one by one, else the reason and the message. Upstream: cmd/util/helpers.go StandardErrorMessage. */
export function statusError(response: RestResponse, doing = ''): Failure {
  const { reason = '', message = '', details } = response.body as Status;
  if (reason === 'Invalid') {
    const { kind = '', name = '', causes = [] } = details ?? {};
    const head = kind === '' && name === '' ? 'The request is invalid' : `The ${kind} "${name}" is invalid`;
    const lines = [...new Set(causes.map((cause) => `${cause.field ?? ''}: ${cause.message ?? ''}`))];
    if (lines.length === 0) return new Failure(`${head}${kind === '' && name === '' && message !== '' ? `: ${message}` : ''}\n`);
    return new Failure(lines.length === 1 ? `${head}: ${lines[0]}\n` : `${head}: \n${lines.map((text) => `* ${text}\n`).join('')}`);
  }
  return new Failure(`Error from server${reason === '' ? '' : ` (${reason})`}: ${doing}${message}\n`);
}

export const notFound = ({ resource }: ResourceInfo, name: string): Failure => new Failure(`Error from server (NotFound): ${resource} "${name}" not found\n`);

export const isFailure = (response: RestResponse): boolean => response.code >= 400;

/** Upstream: cmd/util/helpers.go UsageErrorf. */
export const usageError = (message: string, command: string): Failure => plainError(`${message}\nSee '${command} -h' for help and examples`);
