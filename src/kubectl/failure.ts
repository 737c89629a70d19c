import type { Status } from '../api/schema/types.ts';
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

/** What kubectl makes of a Status: causes of an Invalid one by one, else the reason and the message. `doing`: 'error when creating "pod.yaml": '. */
export function statusError(response: RestResponse, doing = ''): Failure {
  const status = response.body as Status;
  const { reason = '', message = '', details } = status;
  if (reason === 'Invalid' && details !== undefined) {
    const head = `The ${details.kind ?? ''} "${details.name ?? ''}" is invalid`;
    const causes = details.causes ?? [];
    const line = (cause: { field?: string; message?: string }) => `${cause.field ?? ''}: ${cause.message ?? ''}`;
    if (causes.length === 0) return new Failure(`${head}: ${message}\n`);
    if (causes.length === 1) return new Failure(`${head}: ${line(causes[0] as { field?: string; message?: string })}\n`);
    return new Failure(`${head}: \n${causes.map((cause) => `* ${line(cause)}\n`).join('')}`);
  }
  return new Failure(`Error from server${reason === '' ? '' : ` (${reason})`}: ${doing}${message}\n`);
}

export const isFailure = (response: RestResponse): boolean => response.code >= 400;
