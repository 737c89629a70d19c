import { describe } from '../describe/command.ts';
import { moreFormats } from '../output/formats.ts';
import { registerFormats } from '../output/printers.ts';
import type { CommandTable } from '../registry.ts';
import { absentCommands } from './absent.ts';
import { annotate, cordon, label, patchCommand, scale, set, taint, uncordon } from './change.ts';
import { get } from './get.ts';
import { help } from './help.ts';
import { logs } from './logs.ts';

registerFormats(moreFormats);

/** All that is typed or looked at later. */
export const moreCommands: CommandTable = {
  ...absentCommands, annotate, cordon, describe, get, help, label, logs, options: help, patch: patchCommand, scale, set, taint, uncordon,
};
