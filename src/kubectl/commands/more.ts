import type { CommandTable } from '../registry.ts';
import { annotate, cordon, label, patchCommand, scale, set, taint, uncordon } from './change.ts';
import { get } from './get.ts';
import { logs } from './logs.ts';

/** All that is typed or looked at later. */
export const moreCommands: CommandTable = { annotate, cordon, get, label, logs, patch: patchCommand, scale, set, taint, uncordon };
