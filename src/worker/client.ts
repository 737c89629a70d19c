import type { Answers, FromWorker, Question, ToWorker } from './protocol.ts';

/** The page's side of the worker: posts, asks with a promise for the answer, hands on what comes. */
export interface EngineClient {
  post(message: ToWorker): void;
  ask<K extends Question['about']>(question: Extract<Question, { about: K }>): Promise<Answers[K]>;
  subscribe(listener: (message: FromWorker) => void): () => void;
  dispose(): void;
}

export function createEngineClient(worker: Worker): EngineClient {
  const listeners = new Set<(message: FromWorker) => void>();
  const waiting = new Map<number, { resolve(answer: never): void; reject(error: Error): void }>();
  let nextId = 1;
  const failAll = (message: string) => {
    for (const { reject } of waiting.values()) reject(new Error(message));
    waiting.clear();
  };
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === 'answer') {
      const ask = waiting.get(data.id);
      waiting.delete(data.id);
      if ('error' in data.answer) ask?.reject(new Error(data.answer.error));
      else ask?.resolve(data.answer as never);
    }
    for (const listener of listeners) listener(data);
  };
  worker.onerror = (event) => {
    failAll(event.message);
    for (const listener of listeners) listener({ type: 'bug', message: event.message || 'the engine stopped', source: { scenario: '', seed: 0, inputs: [] } });
  };
  return {
    post: (message) => worker.postMessage(message),
    ask: (question) => new Promise((resolve, reject) => {
      const id = nextId++;
      waiting.set(id, { resolve: resolve as (answer: never) => void, reject });
      worker.postMessage({ type: 'ask', id, question } satisfies ToWorker);
    }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose: () => {
      failAll('the engine was closed');
      worker.terminate();
    },
  };
}
