// Browser tests on the built page. Usage: npm run e2e [-- playwright arguments]
import { spawnSync } from 'node:child_process';
import { findBrowser } from './browser.mjs';

try {
  const executable = await findBrowser();
  const result = spawnSync('npx', ['playwright', 'test', '--config', 'e2e/playwright.config.ts', ...process.argv.slice(2)], {
    stdio: 'inherit', env: { ...process.env, CHROMIUM_PATH: executable },
  });
  process.exitCode = result.status ?? 1;
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
