// What the built page costs: bytes of the first view and of the engine, and the time until it can be used with a CPU four times slower.
// Usage: node bench/page.mjs   (builds nothing: run `npm run build` first)
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { chromium } from 'playwright';
import { preview } from 'vite';
import { findBrowser } from '../scripts/browser.mjs';

const kilo = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;

function files(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

const server = await preview({ preview: { port: 4188, host: '127.0.0.1' } });
const address = server.resolvedUrls.local[0];
const browser = await chromium.launch({ executablePath: await findBrowser(), args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });

async function visit(slowdown) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  // Seen from inside the page, from the start of the navigation: when Apply can be pressed, and when a pod is on the map.
  await page.addInitScript(() => {
    const times = { painted: 0, interactive: 0, firstPod: 0 };
    window.benchTimes = times;
    const look = () => {
      if (times.painted === 0) times.painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
      const buttons = [...document.querySelectorAll('button')];
      if (times.interactive === 0 && buttons.some((button) => button.textContent.startsWith('Apply'))) times.interactive = performance.now();
      if (times.firstPod === 0 && document.querySelector('[role=treeitem]') !== null) times.firstPod = performance.now();
      if (times.firstPod === 0 || times.interactive === 0) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.benchTimes.interactive > 0 && window.benchTimes.firstPod > 0, undefined, { timeout: 30_000 });
  const { painted, interactive, firstPod } = await page.evaluate(() => window.benchTimes);
  await context.close();
  return { painted, interactive, firstPod };
}

const normal = await visit(1);
const slow = await visit(4);
await browser.close();
await server.close();

const all = files('dist').filter((path) => /\.(js|css|html)$/.test(path));
const engine = all.filter((path) => /engine[^/]*\.js$/.test(path));
const html = readFileSync('dist/index.html', 'utf8');
const initial = all.filter((path) => path.endsWith('index.html') || html.includes(path.replace(/^dist\//, '')));
const gz = (paths) => paths.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0);
for (const path of initial) console.log(`first view  ${path}  ${kilo(gzipSync(readFileSync(path)).length)} gz`);
console.log(`first view  ${kilo(gz(initial))} gz in all (scripts and styles that index.html names; without fonts and the engine)`);
for (const path of engine) console.log(`engine      ${path}  ${kilo(brotliCompressSync(readFileSync(path)).length)} br  ${kilo(gz([path]))} gz`);
console.log(`painted     ${normal.painted.toFixed(0)} ms; with a CPU 4x slower ${slow.painted.toFixed(0)} ms`);
console.log(`interactive ${normal.interactive.toFixed(0)} ms; with a CPU 4x slower ${slow.interactive.toFixed(0)} ms`);
console.log(`first pod   ${normal.firstPod.toFixed(0)} ms; with a CPU 4x slower ${slow.firstPod.toFixed(0)} ms`);
