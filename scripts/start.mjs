// Builds the page, serves it and prints the address. Usage: npm start [-- --port 4173]
import { build, preview } from 'vite';

const index = process.argv.indexOf('--port');
const port = index > 0 ? Number(process.argv[index + 1]) : 4173;

await build({ logLevel: 'warn' });
const server = await preview({ preview: { port, strictPort: false, host: '127.0.0.1' } });
const address = server.resolvedUrls?.local[0] ?? `http://127.0.0.1:${port}/`;
process.stdout.write(`Kubelapse is at ${address}\n`);
