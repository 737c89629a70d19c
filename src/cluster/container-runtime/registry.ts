import { hashText } from '../../sim/random.ts';
import { parseReference, type ImageReference } from './reference.ts';
import { knownRepositories, officialNames, privateWords, recordedImages, slowTags, wrongWords } from './registry-table.ts';
import type { RegistryEntry, RuntimeSettings } from './state.ts';

/** What a registry says to a pull. */
export type RegistryAnswer = FoundImage | { ok: false; why: 'not-found' | 'denied' | 'no-host' };

interface FoundImage {
  ok: true;
  sizeBytes: number;
  user?: number;
  /** How long a pull takes, if the registry or the scenario says so: a duration or milliseconds. */
  takes?: string | number;
  /** On every node from the beginning, unless the scenario takes it off. */
  preloaded: boolean;
}

/** Whether an image exists, and for whom. `credentials` undefined: the node itself asks (what was loaded before needs no login). */
export function askRegistry(settings: RuntimeSettings, reference: ImageReference, credentials: readonly string[] | undefined): RegistryAnswer {
  const own = scenarioAnswer(settings, reference, credentials);
  if (own !== undefined) return own;
  return settings.registry === 'recorded' ? recordedAnswer(reference) : playgroundAnswer(reference, credentials);
}

/** The digest reference of an image: the same on every node and in every run. */
export function digestReference(reference: ImageReference): string {
  if (reference.digest !== undefined) return `${reference.repository}@${reference.digest}`;
  return (digests[reference.name] ??= digestOf(reference));
}

const digests: Record<string, string> = {};

function digestOf(reference: ImageReference): string {
  let digest = '';
  for (let part = 0; part < 8; part++) digest += hashText(reference.name, 0x811c9dc5 + part).toString(16).padStart(8, '0');
  return `${reference.repository}@sha256:${digest}`;
}

/** The entry of the scenario's registry for an image. */
export function scenarioEntry(settings: RuntimeSettings, reference: ImageReference): RegistryEntry | undefined {
  return settings.registryImages.find((entry) => nameOf(entry.image) === reference.name);
}

const nameOf = (image: string): string | undefined => {
  const parsed = parseReference(image);
  return typeof parsed === 'string' ? undefined : parsed.name;
};

/** A repository of which the scenario lists images has no others, unless it is a well-known one. */
function scenarioAnswer(settings: RuntimeSettings, reference: ImageReference, credentials: readonly string[] | undefined): RegistryAnswer | undefined {
  const entry = scenarioEntry(settings, reference);
  if (entry === undefined) {
    const listed = settings.registryImages.some((other) => {
      const parsed = parseReference(other.image);
      return typeof parsed !== 'string' && parsed.repository === reference.repository;
    });
    return listed && !knownRepositories.has(reference.repository) ? { ok: false, why: 'not-found' } : undefined;
  }
  if (entry.private === true && credentials !== undefined && !isOpened(reference, credentials)) return { ok: false, why: 'denied' };
  return {
    ok: true, sizeBytes: entry.sizeBytes ?? sizeOf(reference), preloaded: false,
    ...(entry.pullTakes === undefined ? {} : { takes: entry.pullTakes }),
  };
}

function recordedAnswer(reference: ImageReference): RegistryAnswer {
  const { repository, domain, tag } = reference;
  const known = recordedImages[repository];
  if (known === undefined) return { ok: false, why: domain === 'docker.io' || domain === 'registry.k8s.io' ? 'denied' : 'no-host' };
  if (tag === undefined || known.preloaded.includes(tag)) return { ok: true, sizeBytes: known.sizeBytes, preloaded: true, ...userOf(repository) };
  if (!known.other.includes(tag)) return { ok: false, why: 'not-found' };
  const slow = slowTags[reference.name];
  return { ok: true, sizeBytes: known.sizeBytes, preloaded: false, ...(slow === undefined ? {} : { takes: slow }) };
}

/** Simplified: real registries hold what people put there; this one is a rule (RULES.md, R-1 to R-6). */
function playgroundAnswer(reference: ImageReference, credentials: readonly string[] | undefined): RegistryAnswer {
  const { repository, domain, path, tag } = reference;
  const slow = slowTags[reference.name];
  if (slow !== undefined) return { ok: true, sizeBytes: sizeOf(reference), preloaded: false, takes: slow };
  const known = knownRepositories.get(repository);
  if (known !== undefined) {
    if (tag !== undefined && !isKnownTag(tag, known.newest, known.words)) return { ok: false, why: 'not-found' };
    return { ok: true, sizeBytes: sizeFor(known.sizeBytes, tag ?? ''), preloaded: true, ...userOf(repository) };
  }
  if (domain !== 'docker.io' && wrongWords.test(domain)) return { ok: false, why: 'no-host' };
  if (wrongWords.test(path)) return { ok: false, why: 'denied' };
  if (domain === 'docker.io' && path.startsWith('library/') && isTypingError(path.slice('library/'.length))) return { ok: false, why: 'denied' };
  if (tag !== undefined && wrongWords.test(tag)) return { ok: false, why: 'not-found' };
  if (privateWords.test(path) && credentials !== undefined && !isOpened(reference, credentials)) return { ok: false, why: 'denied' };
  return { ok: true, sizeBytes: sizeOf(reference), preloaded: false };
}

const userOf = (repository: string): { user?: number } => {
  const user = knownRepositories.get(repository)?.user;
  return user === undefined ? {} : { user };
};

/** A version up to the newest one, or a word of the repository; then words, each with an own version at most. */
export function isKnownTag(tag: string, newest: readonly number[], words: readonly string[]): boolean {
  const [first = '', ...rest] = tag.split('-');
  const isWord = (part: string) => words.includes(part) || words.includes(part.replace(/[\d.]+$/, '')) || /^\d[\d.]*$/.test(part);
  const version = /^v?(\d+(?:\.\d+)*)(?:[a-z]{1,3}\d*)?$/.exec(first)?.[1];
  const starts = version === undefined ? isWord(first) : isUpTo(version.split('.').map(Number), newest);
  return starts && rest.every(isWord);
}

function isUpTo(version: readonly number[], newest: readonly number[]): boolean {
  // 0: the repository's versions are not known.
  if (newest[0] === 0) return version.every((part) => part < 10_000);
  for (let index = 0; index < newest.length; index++) {
    const part = version[index];
    const limit = newest[index] as number;
    if (part === undefined || part < limit) return version.every((other) => other < 100_000);
    if (part > limit) return false;
  }
  return version.every((part) => part < 100_000);
}

/** One letter too many, too few, changed or two swapped: 'ngnix', 'rediss', 'busybx'. */
export function isTypingError(name: string): boolean {
  return name.length >= 4 && officialNames.some((official) => official.length >= 4 && isOneEditApart(name, official));
}

function isOneEditApart(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  const restA = a.slice(start);
  const restB = b.slice(start);
  if (a.length !== b.length) return a.length > b.length ? restA.slice(1) === restB : restA === restB.slice(1);
  if (restA.slice(1) === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

/** Whether pull secrets name the registry's host or the repository. */
function isOpened({ domain, repository }: ImageReference, credentials: readonly string[]): boolean {
  return credentials.some((raw) => {
    const entry = raw.replace(/^https?:\/\//, '').replace(/\/(v1|v2)?\/?$/, '');
    const host = entry === 'index.docker.io' || entry === 'registry-1.docker.io' ? 'docker.io' : entry;
    return host === domain || repository === host || repository.startsWith(`${host}/`) || (domain === 'docker.io' && repository.startsWith(`docker.io/${host}`));
  });
}

/** Images that nobody knows have a size that their name decides: 25 to 185 MB. */
const sizeOf = (reference: ImageReference): number => 25_000_000 + (hashText(reference.repository) % 160_000_000);

/** The small flavours of an image. */
function sizeFor(sizeBytes: number, tag: string): number {
  if (/alpine/.test(tag)) return Math.round(sizeBytes * 0.3);
  return /slim|minimal/.test(tag) ? Math.round(sizeBytes * 0.4) : sizeBytes;
}
