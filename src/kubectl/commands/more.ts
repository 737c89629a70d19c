import { describe } from '../describe/command.ts';
import { moreFormats } from '../output/formats.ts';
import { registerFormats } from '../output/printers.ts';
import type { CommandTable } from '../registry.ts';
import { absentCommands } from './absent.ts';
import { get } from './get.ts';
import { help } from './help.ts';
import { annotate, label } from './keys.ts';
import { logs } from './logs.ts';
import { events } from './events.ts';
import { cordon, taint, uncordon } from './nodes.ts';
import { patchCommand, scale } from './patch.ts';
import { rollout } from '../rollout/command.ts';
import { set } from './set.ts';
import { wait } from './wait.ts';

registerFormats(moreFormats);

/** All that is typed or looked at later. */
export const moreCommands: CommandTable = {
  ...absentCommands, annotate, cordon, describe, events, get, help, label, logs, options: help, patch: patchCommand, rollout, scale, set, taint, uncordon, wait,
};
