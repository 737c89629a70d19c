import type { Pod } from '../../../api/schema/types.ts';
import { engine } from '../../store/engine-client.ts';
import { cursor } from '../../store/playback.ts';
import { sessionStore } from '../../store/session.ts';
import type { Candidate, Wanted } from './completion.ts';

/** Asks the cluster, as it is at the playhead, for what could stand there. */
export async function candidatesOf(wanted: readonly Wanted[], files: readonly string[]): Promise<Candidate[]> {
  const found = await Promise.all(wanted.map((item) => find(item, files)));
  return found.flat();
}

async function find(wanted: Wanted, files: readonly string[]): Promise<Candidate[]> {
  if (wanted.kind === 'words') return wanted.words.map((text) => ({ text, after: wanted.open === true ? '' : ' ' }));
  if (wanted.kind === 'files') return files.map((text) => ({ text, after: ' ' }));
  if (sessionStore.getState().status !== 'running') return [];
  const resource = wanted.kind === 'containers' ? 'pods' : wanted.resource;
  const { objects } = await engine().ask<'objects'>({ about: 'objects', resource, at: Math.round(cursor()) });
  const namespace = wanted.namespace ?? ownNamespace();
  const here = objects.filter(({ metadata }) => metadata.namespace === undefined || metadata.namespace === namespace);
  if (wanted.kind === 'names') return here.map(({ metadata }) => ({ text: `${wanted.before}${metadata.name}`, after: ' ' }));
  const pod = here.find(({ metadata }) => metadata.name === wanted.pod) as Pod | undefined;
  return [...(pod?.spec.containers ?? []), ...(pod?.spec.initContainers ?? [])].map(({ name }) => ({ text: name, after: ' ' }));
}

const ownNamespace = (): string => /^namespace:\s*["']?([\w-]+)/m.exec(sessionStore.getState().source?.scenario ?? '')?.[1] ?? 'default';
