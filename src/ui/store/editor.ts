import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Problem } from '../../worker/protocol.ts';
import { engine } from './engine-client.ts';
import { keep, readKept } from './persist.ts';
import { cursor } from './playback.ts';
import { applyText, sessionStore, type InputResult } from './session.ts';

export interface EditorFile {
  id: string;
  name: string;
  text: string;
  /** As the film has it. */
  applied: string;
  problems: readonly Problem[];
  /** The problems belong to an older text. */
  checking: boolean;
}

export interface EditorState {
  /** What the drafts belong to. */
  scenario: string;
  files: readonly EditorFile[];
  active: string | undefined;
  /** Where the caret is, so that a swap of the editing surface keeps it. */
  caret: { start: number; end: number; scrollTop: number };
  /** Text was found that had been typed before a reload. */
  restored: boolean;
}

export const editorStore = createStore<EditorState>()(() => ({ scenario: '', files: [], active: undefined, caret: { start: 0, end: 0, scrollTop: 0 }, restored: false }));

export function useEditor<T>(select: (state: EditorState) => T): T {
  return useStore(editorStore, select);
}

export const activeFile = (state: EditorState): EditorFile | undefined => state.files.find((file) => file.id === state.active);

const newFile = (id: string, name: string, text: string): EditorFile => ({ id, name, text, applied: text, problems: [], checking: false });

type Drafts = { scenario: string; files: { id: string; name: string; text: string }[] };

/** The manifests of a scenario; what had been typed over them comes back. */
export function openFiles(scenario: string, files: readonly { name: string; text: string }[]): void {
  const drafts = readKept<Drafts>('drafts');
  const typed = drafts?.scenario === scenario ? drafts.files : [];
  const opened = files.map(({ name, text }, index) => {
    const file = newFile(`file-${index}`, name, text);
    const draft = typed.find((item) => item.id === file.id);
    return draft === undefined ? file : { ...file, text: draft.text };
  });
  const added = typed.filter((draft) => !opened.some((file) => file.id === draft.id)).map((draft) => ({ ...newFile(draft.id, draft.name, draft.text), applied: '' }));
  const all = [...opened, ...added];
  editorStore.setState({ scenario, files: all, active: all[0]?.id, caret: { start: 0, end: 0, scrollTop: 0 }, restored: typed.length > 0 });
  for (const file of all) scheduleCheck(file.id);
}

function change(id: string, update: Partial<EditorFile>): void {
  editorStore.setState((state) => ({ files: state.files.map((file) => (file.id === id ? { ...file, ...update } : file)) }));
}

export function setText(id: string, text: string): void {
  if (editorStore.getState().files.find((file) => file.id === id)?.text === text) return;
  change(id, { text });
  scheduleCheck(id);
  scheduleSave();
}

export function activateFile(id: string): void {
  editorStore.setState({ active: id, caret: { start: 0, end: 0, scrollTop: 0 } });
}

let added = 0;

export function addFile(name: string, text: string): void {
  added += 1;
  const id = `new-${added}-${editorStore.getState().files.length}`;
  editorStore.setState((state) => ({ files: [...state.files, { ...newFile(id, name, text), applied: '' }], active: id }));
  scheduleCheck(id);
  scheduleSave();
}

export function closeFile(id: string): void {
  editorStore.setState((state) => {
    const files = state.files.filter((file) => file.id !== id);
    return { files, active: state.active === id ? files[0]?.id : state.active };
  });
  scheduleSave();
}

/** Back to the scenario's own text. */
export function startOver(): void {
  editorStore.setState((state) => {
    const files = state.files.filter((file) => file.id.startsWith('file-')).map((file) => ({ ...file, text: file.applied }));
    return { files, active: files.some((file) => file.id === state.active) ? state.active : files[0]?.id, restored: false };
  });
  keep('drafts', undefined);
  for (const file of editorStore.getState().files) scheduleCheck(file.id);
}

/** Puts a fix into the text. */
export function applyFix(id: string, fix: NonNullable<Problem['fix']>): void {
  const file = editorStore.getState().files.find((item) => item.id === id);
  if (file !== undefined) setText(id, replaceRange(file.text, fix));
}

export function replaceRange(text: string, { line, column, endLine, endColumn, text: put }: NonNullable<Problem['fix']>): string {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = (row: number, col: number) => Math.min(text.length, (starts[row - 1] ?? text.length) + col - 1);
  return text.slice(0, offset(line, column)) + put + text.slice(offset(endLine, endColumn));
}

/** Gives the file on screen to the API server, at the cursor. */
export function applyActive(): void {
  const file = activeFile(editorStore.getState());
  if (file === undefined || file.text.trim() === '' || sessionStore.getState().status !== 'running') return;
  applyText(file.text, file.name);
}

/** What the API server took is no longer a draft. */
export function settleApplied({ input, exit }: Pick<InputResult, 'input' | 'exit'>): void {
  if (exit !== 0 || input.kind === 'fault') return;
  // A command names files under their paths; it has applied those that it was given.
  const texts = input.kind === 'apply' ? { [input.name ?? '']: input.text } : /^(?:apply|create|replace)\b/.test(input.line) ? (input.files ?? {}) : {};
  for (const [path, text] of Object.entries(texts)) {
    const file = editorStore.getState().files.find((item) => item.name === path.replace(/^\.\//, ''));
    if (file !== undefined) change(file.id, { applied: text });
  }
}

/** Puts a text under a name, as a program writes a file. */
export function writeFile(name: string, text: string): void {
  const file = editorStore.getState().files.find((item) => item.name === name);
  if (file === undefined) addFile(name, text);
  else setText(file.id, text);
}

sessionStore.subscribe((state, before) => {
  if (state.result !== undefined && state.result !== before.result) settleApplied(state.result);
});

const checkAfterMs = 250;
const checks = new Map<string, ReturnType<typeof setTimeout>>();

/** Asks the API server what it would say, a moment after the last key. */
function scheduleCheck(id: string): void {
  clearTimeout(checks.get(id));
  change(id, { checking: true });
  checks.set(id, setTimeout(() => void check(id), checkAfterMs));
}

async function check(id: string): Promise<void> {
  const file = editorStore.getState().files.find((item) => item.id === id);
  if (file === undefined) return;
  if (sessionStore.getState().status === 'loading') return scheduleCheck(id);
  try {
    const { problems } = await engine().ask<'check'>({ about: 'check', text: file.text, at: cursor() });
    if (editorStore.getState().files.find((item) => item.id === id)?.text === file.text) change(id, { problems, checking: false });
  } catch {
    change(id, { problems: [], checking: false });
  }
}

let saving: ReturnType<typeof setTimeout> | undefined;

function scheduleSave(): void {
  saving ??= setTimeout(() => {
    saving = undefined;
    saveNow();
  }, 800);
}

/** Keeps what was typed and not applied, or added. */
export function saveNow(): void {
  const { scenario, files } = editorStore.getState();
  const typed = files.filter((file) => file.text !== file.applied || file.id.startsWith('new-')).map(({ id, name, text }) => ({ id, name, text }));
  keep('drafts', typed.length === 0 ? undefined : ({ scenario, files: typed } satisfies Drafts));
}
