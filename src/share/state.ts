import type { Input } from '../scenarios/schema.ts';
import type { SimTime } from '../sim/time.ts';

/** What a link or a file carries: enough to come back to the same picture on any machine. */
export interface SharedState {
  scenario: string;
  seed: number;
  inputs: Input[];
  cursor: SimTime;
  view: SharedView;
}

/** How it was looked at. All of it may be missing. */
export interface SharedView {
  /** Name of an example, for the menu. */
  example?: string;
  /** Selected lane of the film. */
  lane?: string;
  language?: 'en' | 'zh';
  theme?: 'dark' | 'light';
  speed?: number;
}

export type ShareErrorCode = 'not-a-link' | 'unknown-version' | 'damaged' | 'too-large' | 'incomplete';

/** Why a link or a file cannot be opened. The page has the words; `detail` is shown as it is. */
export class ShareError extends Error {
  override name = 'ShareError';
  readonly code: ShareErrorCode;
  readonly detail: string;

  constructor(code: ShareErrorCode, detail = '') {
    super(`${code}${detail === '' ? '' : `: ${detail}`}`);
    this.code = code;
    this.detail = detail;
  }
}

type Raw = Record<string, unknown>;

const isRecord = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

function need(ok: boolean, what: string): void {
  if (!ok) throw new ShareError('incomplete', what);
}

/** Reads decoded JSON strictly: what is not known is refused or left out, never guessed. */
export function readState(value: unknown): SharedState {
  need(isRecord(value), 'state');
  const { scenario, seed, inputs = [], cursor = 0, view = {} } = value as Raw;
  need(typeof scenario === 'string' && scenario !== '', 'scenario');
  need(Number.isSafeInteger(seed), 'seed');
  need(isTime(cursor), 'cursor');
  need(Array.isArray(inputs), 'inputs');
  return { scenario: scenario as string, seed: seed as number, cursor: cursor as number, inputs: (inputs as unknown[]).map(readInput), view: readView(view) };
}

function readInput(value: unknown, index: number): Input {
  const at = `inputs[${index}]`;
  need(isRecord(value), at);
  const input = value as Raw;
  need(isTime(input.at), `${at}.at`);
  const fields: Record<string, string> = { apply: 'text', kubectl: 'line', fault: 'fault' };
  const field = typeof input.kind === 'string' ? fields[input.kind] : undefined;
  need(field !== undefined, `${at}.kind`);
  const content = input[field as string];
  need(field === 'fault' ? isRecord(content) : typeof content === 'string', `${at}.${field}`);
  return value as Input;
}

function readView(value: unknown): SharedView {
  if (!isRecord(value)) return {};
  const { example, lane, language, theme, speed } = value;
  return {
    ...(typeof example === 'string' ? { example } : {}),
    ...(typeof lane === 'string' ? { lane } : {}),
    ...(language === 'en' || language === 'zh' ? { language } : {}),
    ...(theme === 'dark' || theme === 'light' ? { theme } : {}),
    ...(typeof speed === 'number' && speed >= 0.01 && speed <= 1000 ? { speed } : {}),
  };
}
