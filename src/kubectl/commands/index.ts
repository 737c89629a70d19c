import type { CommandTable } from '../registry.ts';
import { apply } from './apply.ts';
import { create } from './create.ts';
import { deleteCommand } from './delete.ts';
import { exec } from './exec.ts';

/** What scenarios need from the first moment on. */
export const coreCommands: CommandTable = { apply, create, delete: deleteCommand, exec };
