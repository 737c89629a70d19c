// Runs the command line, building it first when a source is newer than the build. Usage: node scripts/sim.mjs run scenarios/01-first-pod
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { pathToFileURL } from 'node:url';

// A run takes seconds: compiling every warm function to the best code costs more than it saves.
setFlagsFromString('--interrupt-budget=500000');

const target = 'dist-cli/kubelapse.mjs';

function newest(folder) {
  let time = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (path !== join('src', 'ui') && entry.name !== 'recorded' && entry.name !== 'cases') time = Math.max(time, newest(path));
    } else if (!entry.name.includes('.test.')) time = Math.max(time, statSync(path).mtimeMs);
  }
  return time;
}

if (!existsSync(target) || statSync(target).mtimeMs < Math.max(newest('src'), newest('e2e/conformance'), newest('bench'), statSync('vite.cli.config.ts').mtimeMs)) {
  const { build } = await import('vite');
  await build({ configFile: 'vite.cli.config.ts' });
}
const { main } = await import(pathToFileURL(target).href);
process.exitCode = await main(process.argv.slice(2));
