import type { Command } from '../kubectl.ts';
import { apply } from './apply.ts';
import { annotate, cordon, label, patchCommand, scale, set, taint, uncordon } from './change.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { get } from './get.ts';
import { exec, logs } from './inside.ts';

/** The verbs, by the word that the user types. */
export const commands: Readonly<Record<string, Command>> = {
  annotate, apply, cordon, create, delete: deleteCommand, exec, get, label, logs, patch: patchCommand, scale, set, taint, uncordon,
};
