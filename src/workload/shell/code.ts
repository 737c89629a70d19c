import type { Word } from './words.ts';

/** What the machine runs: a flat list, jumps are relative to the instruction that holds them. Pure data, kept in a cache by source text. */
export type Code = readonly Instruction[];

export interface Redirection {
  fd: number;
  op: string;
  target: Word;
}

export interface Assignment {
  name: string;
  append: boolean;
  value: Word;
}

/**
 * `tested`: its failure is looked at, so that `set -e` does not end the shell. `literal`: the words, when they are nothing but plain text.
 * `condition`: [[ ]].
 */
export type Instruction =
  | { op: 'simple'; assigns: Assignment[]; words: Word[]; literal?: string[]; redirections: Redirection[]; tested: boolean; condition: boolean }
  | { op: 'math'; expression: Word; tested: boolean }
  | { op: 'goto'; to: number }
  | { op: 'if-ok'; to: number }
  | { op: 'if-failed'; to: number }
  | { op: 'not' }
  | { op: 'ok' }
  | { op: 'loop'; out: number; again: number }
  | { op: 'keep' }
  | { op: 'end-loop' }
  | { op: 'for'; name: string; words: Word[] | undefined; out: number }
  | { op: 'next'; name: string; out: number }
  | { op: 'case'; subject: Word; arms: { patterns: Word[]; to: number }[]; out: number }
  | { op: 'redirect'; redirections: Redirection[]; out: number; tested: boolean }
  | { op: 'restore' }
  | { op: 'define'; name: string; to: number }
  | { op: 'subshell'; to: number; tested: boolean }
  | { op: 'background'; to: number; text: string }
  | { op: 'pipe'; starts: number[]; to: number; tested: boolean }
  /** The end of a child shell's part, or of a function. */
  | { op: 'end' };
