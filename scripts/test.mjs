// All that CI runs, in order; stops at the first failure and says how long each part took.
import { spawnSync } from 'node:child_process';

const parts = [
  ['generated types', 'node', ['scripts/generate-types.mjs', '--check']],
  ['editor schema', 'node', ['scripts/generate-editor-schema.mjs', '--check']],
  ['typecheck', 'npm', ['run', '-s', 'typecheck']],
  ['lint', 'npm', ['run', '-s', 'lint']],
  ['unit', 'npm', ['run', '-s', 'unit']],
  ['build', 'npm', ['run', '-s', 'build']],
  ['size', 'node', ['scripts/check-size.mjs']],
  ['conformance', 'npm', ['run', '-s', 'conformance']],
  ['e2e', 'npm', ['run', '-s', 'e2e']],
];

const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;
const start = performance.now();
let passed = 0;
for (const [name, command, args] of parts) {
  const from = performance.now();
  process.stdout.write(`\n== ${name}\n`);
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, TZ: 'UTC' } });
  process.stdout.write(`== ${name}: ${status === 0 ? 'ok' : 'FAILED'} (${seconds(from)})\n`);
  if (status !== 0) {
    process.stdout.write(`\n${passed} passed, 1 failed\n`);
    process.exit(1);
  }
  passed++;
}
process.stdout.write(`\nall green in ${seconds(start)}\n${passed} passed, 0 failed\n`);
