import type { Answers, FilmDelta, FromWorker, Question, ToWorker } from '../../../worker/protocol.ts';
import type { EngineClient } from '../engine-client.ts';

type Replies = { [K in Question['about']]?: (question: Extract<Question, { about: K }>) => Answers[K] };

/** Stands in for the worker: sends a film when one is loaded, and answers from a table. */
export class FakeEngine implements EngineClient {
  readonly posted: ToWorker[] = [];
  readonly #listeners = new Set<(message: FromWorker) => void>();
  readonly #film: FilmDelta;
  readonly #replies: Replies;

  constructor(film: FilmDelta, replies: Replies = {}) {
    this.#film = film;
    this.#replies = replies;
  }

  post(message: ToWorker): void {
    this.posted.push(message);
    if (message.type === 'load') this.send({ type: 'film', delta: { ...this.#film, truncateFrom: 0 } });
  }

  ask<K extends Question['about']>(question: Extract<Question, { about: K }>): Promise<Answers[K]> {
    const reply = this.#replies[question.about as K] as ((asked: typeof question) => Answers[K]) | undefined;
    return reply === undefined ? Promise.reject(new Error(`nobody answers ${question.about}`)) : Promise.resolve(reply(question));
  }

  subscribe(listener: (message: FromWorker) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#listeners.clear();
  }

  send(message: FromWorker): void {
    for (const listener of this.#listeners) listener(message);
  }
}
