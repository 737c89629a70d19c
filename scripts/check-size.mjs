// How much a first visit loads, from the built page in dist. Usage: node scripts/check-size.mjs [folder]
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const dist = process.argv[2] ?? 'dist';
const assets = readdirSync(join(dist, 'assets'));
const html = readFileSync(join(dist, 'index.html'), 'utf8');

/** The engine that the first film waits for: its entry, and what that loads at once. */
function engineFiles() {
  const files = new Set(assets.filter((name) => /^engine-.*\.js$/.test(name)));
  for (const name of files) {
    for (const [, other] of readFileSync(join(dist, 'assets', name), 'utf8').matchAll(/\b(?:import|from)\s*["']\.\/([^"']+)["']/g)) files.add(other);
  }
  return [...files].map((name) => join('assets', name));
}

/** What index.html names: scripts, their preloaded parts, styles. */
const pageFiles = ['index.html', ...new Set([...html.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(([, path]) => path))];

const limits = [
  { what: 'engine of the first film (brotli)', files: engineFiles(), compress: brotliCompressSync, most: 118 * 1024 },
  { what: 'first view: html, js, css (gzip)', files: pageFiles, compress: gzipSync, most: 200_000 },
];

let tooBig = 0;
for (const { what, files, compress, most } of limits) {
  const bytes = files.reduce((sum, path) => sum + compress(readFileSync(join(dist, path))).length, 0);
  const verdict = files.length === 0 ? 'NOTHING FOUND' : bytes > most ? 'TOO BIG' : 'ok';
  if (verdict !== 'ok') tooBig++;
  process.stdout.write(`${what}: ${bytes} of ${most} bytes in ${files.length} files: ${verdict}\n`);
}
process.exitCode = tooBig === 0 ? 0 : 1;
