import { createEngineClient, type EngineClient } from '../../worker/client.ts';

export type { EngineClient } from '../../worker/client.ts';

/** The page has one engine. Tests put in their own. */
let current: EngineClient | undefined;

export function engine(): EngineClient {
  current ??= createEngineClient(new Worker(new URL('../../worker/engine.ts', import.meta.url), { type: 'module', name: 'engine' }));
  return current;
}

export function putEngine(client: EngineClient | undefined): void {
  current = client;
}

/** After a bug of ours: a fresh engine, the old one is dropped. */
export function restartEngine(): void {
  current?.dispose();
  current = undefined;
}
