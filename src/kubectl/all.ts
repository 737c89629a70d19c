import { coreCommands } from './commands/index.ts';
import { moreCommands } from './commands/more.ts';
import { moreFormats } from './output/formats.ts';
import { registerFormats } from './output/printers.ts';
import { registerCommands } from './registry.ts';

// What the first film does without stands behind functions that it does not call.
registerCommands(coreCommands, () => moreCommands);
registerFormats(() => moreFormats);
