import { coreCommands } from './commands/index.ts';
import { moreCommands } from './commands/more.ts';
import { registerCommands } from './registry.ts';

/** Both tables at once: for all who need no second file. */
registerCommands(coreCommands);
registerCommands(moreCommands);
