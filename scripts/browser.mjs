// Finds a Chromium for the browser tests, or installs one. Order: CHROMIUM_PATH, Playwright's own, one on PATH, then an installation.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function onPath() {
  for (const name of names) {
    const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
    if (found.status === 0 && found.stdout.trim() !== '') return found.stdout.trim();
  }
  return undefined;
}

async function playwrightsOwn() {
  const { chromium } = await import('playwright');
  const path = chromium.executablePath();
  return path !== '' && existsSync(path) ? path : undefined;
}

const run = (command, args) => spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;

/** The path of a Chromium. Throws one clear sentence when there is none and none can be installed. */
export async function findBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names no file: ${named}`);
    return named;
  }
  const there = (await playwrightsOwn()) ?? onPath();
  if (there !== undefined) return there;
  process.stderr.write('no Chromium found: installing one for the browser tests\n');
  if (run('npx', ['playwright', 'install', '--with-deps', 'chromium'])) {
    const own = await playwrightsOwn();
    if (own !== undefined) return own;
  }
  const debian = existsSync('/etc/debian_version') && process.getuid?.() === 0;
  if (debian && run('apt-get', ['update', '-qq']) && run('apt-get', ['install', '-y', '-qq', 'chromium', 'fonts-noto-cjk'])) {
    const found = onPath();
    if (found !== undefined) return found;
  }
  throw new Error('The browser tests need a Chromium: install one, or set CHROMIUM_PATH to it.');
}
