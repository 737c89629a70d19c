import { useEffect, useState } from 'react';
import type { Answers, Question } from '../../worker/protocol.ts';
import type { ApiObject, ResourceName } from '../../api/resources.ts';
import type { SimTime } from '../../sim/time.ts';
import { countBefore } from '../model/film/series.ts';
import { engine } from './engine-client.ts';
import { useFilm } from './film.ts';

type About = Question['about'];
type Asked<K extends About> = Extract<Question, { about: K }>;

const kept = new Map<string, Promise<unknown>>();
const keptMost = 200;

/** What was answered stays true until the past changes. */
export function clearAnswers(): void {
  kept.clear();
}

export function askOnce<K extends About>(question: Asked<K>, moreKey = ''): Promise<Answers[K]> {
  const key = JSON.stringify(question) + moreKey;
  const known = kept.get(key);
  if (known !== undefined) return known as Promise<Answers[K]>;
  if (kept.size >= keptMost) kept.delete(kept.keys().next().value as string);
  const answer = engine().ask(question);
  kept.set(key, answer);
  answer.catch(() => kept.delete(key));
  return answer;
}

export interface Answered<T> {
  value: T | undefined;
  error: string | undefined;
  /** The value belongs to an older question: a newer answer is on its way. */
  stale: boolean;
}

/** An answer for rendering. While a new one is awaited the old one stays on screen. Undefined: asks nothing. */
export function useAnswer<K extends About>(question: Asked<K> | undefined, moreKey = ''): Answered<Answers[K]> {
  const key = question === undefined ? undefined : JSON.stringify(question) + moreKey;
  const [state, setState] = useState<{ key: string | undefined; value?: Answers[K]; error?: string }>({ key: undefined });
  useEffect(() => {
    if (key === undefined || question === undefined) return undefined;
    let alive = true;
    askOnce<K>(question, moreKey).then(
      (value) => alive && setState({ key, value }),
      (error: unknown) => alive && setState({ key, error: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      alive = false;
    };
  }, [key]); // The question is in the key.
  if (key === undefined) return { value: undefined, error: undefined, stale: false };
  return { value: state.value, error: state.key === key ? state.error : undefined, stale: state.key !== key };
}

export interface Versions {
  object: ApiObject | undefined;
  /** The version before. */
  before: ApiObject | undefined;
  changedAt: SimTime | undefined;
  loading: boolean;
}

/** An object as it was at a time, and as it was one change earlier. Asks again only when the time passes a change. */
export function useObject(resource: ResourceName | undefined, namespace: string, name: string, at: SimTime): Versions {
  const film = useFilm();
  const wanted = resource !== undefined && name !== '';
  // The list of changes grows with the film: its head, in coarse steps, is part of the question's key.
  const grown = `${film.branch}/${film.values.length}`;
  const changes = useAnswer<'changes'>(wanted ? { about: 'changes', resource, namespace, name } : undefined, grown);
  const times = changes.value?.at ?? [];
  const index = countBefore(times, at, true) - 1;
  const [now, before] = [times[index], times[index - 1]];
  const version = (time: SimTime | undefined) => (wanted && time !== undefined ? { about: 'object' as const, resource, namespace, name, at: time } : undefined);
  const object = useAnswer<'object'>(version(now), `/${film.branch}`);
  const older = useAnswer<'object'>(version(before), `/${film.branch}`);
  return {
    object: now === undefined ? undefined : (object.value?.object ?? undefined), before: before === undefined ? undefined : (older.value?.object ?? undefined),
    changedAt: now, loading: wanted && (changes.value === undefined || (now !== undefined && object.stale)),
  };
}
