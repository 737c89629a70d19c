import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadScenario } from '../../src/cli/options.ts';
import { play, recordingOf } from '../../src/cli/run.ts';
import { compare } from './compare/compare.mjs';
import { differences } from './compare/story.mjs';

export interface TraceResult {
  name: string;
  ok: number;
  all: number;
  text: string;
  error?: string;
}

interface Score { ok: number; late: number; early: number; order: number; value: number; missing: number; extra: number }

/** Plays one recorded scenario and compares fact by fact. */
export function playTrace(folder: string, name: string): TraceResult {
  const out = mkdtempSync(join(tmpdir(), 'kubelapse-'));
  try {
    const scenario = loadScenario(join(folder, name));
    const recording = recordingOf(play(scenario, undefined, 'recorded'), scenario);
    for (const [file, text] of Object.entries(recording)) writeFileSync(join(out, file), text as string);
    const result = compare(join(folder, name), out) as { scores: Record<string, Score> };
    const all = result.scores.all ?? { ok: 0, late: 0, early: 0, order: 0, value: 0, missing: 0, extra: 0 };
    const { ok, late, early, order, value, missing, extra } = all;
    return { name, ok, all: ok + late + early + order + value + missing + extra, text: String(differences(result)) };
  } catch (error) {
    return { name, ok: 0, all: 50, text: '', error: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error) };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

export const traceNames = (folder: string): string[] => readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
