import type { CriCall, CriRequest } from './cri.ts';
import type { Env } from './state.ts';

/** Whom an answer of the runtime is for; the id carries it: 'uid/purpose/detail/number'. */
export type Purpose = 'run' | 'kill' | 'pre-stop' | 'probe' | 'pull' | 'none';

export function nextId(env: Env, uid: string, purpose: Purpose, detail = ''): string {
  return `${uid}/${purpose}/${detail}/${env.state.nextId++}`;
}

/** Sends a CRI call; returns its id. */
export function call(env: Env, uid: string, purpose: Purpose, request: CriRequest, detail = ''): string {
  const id = nextId(env, uid, purpose, detail);
  const payload: CriCall = { id, call: request };
  env.ctx.schedule({ to: `container-runtime/${env.node.name}`, afterMs: 0, kind: 'cri', payload });
  return id;
}

export function parseId(id: string): { uid: string; purpose: Purpose; detail: string } {
  const first = id.indexOf('/');
  const second = id.indexOf('/', first + 1);
  return { uid: id.slice(0, first), purpose: id.slice(first + 1, second) as Purpose, detail: id.slice(second + 1, id.lastIndexOf('/')) };
}
