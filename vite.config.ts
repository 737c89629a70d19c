import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { engineSplit } from './scripts/engine-split/plugin.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Nothing leaves the browser, and nothing foreign comes in. Styles inline: React and the editor write style attributes. */
const contentPolicy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "font-src 'self'", "img-src 'self' data: blob:", "worker-src 'self'",
  "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
].join('; ');

/** Into the built page only: the development server needs inline scripts. */
const pageHead: Plugin = {
  name: 'page-head',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name));
      return [
        { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: contentPolicy }, injectTo: 'head-prepend' as const },
        ...(font === undefined ? [] : [{ tag: 'link', attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `./${font}` }, injectTo: 'head' as const }]),
      ];
    },
  },
};

export default defineConfig({
  base: './',
  plugins: [react(), pageHead],
  resolve: {
    alias: [
      // The editor's YAML service was written for an older Monaco; these two small files stand in for its worker manager.
      { find: /^monaco-worker-manager\/worker$/, replacement: here('./src/ui/panels/editor/monaco/worker-init.ts') },
      { find: /^monaco-worker-manager$/, replacement: here('./src/ui/panels/editor/monaco/worker-manager.ts') },
      // The formatter that comes with it is replaced by our own: half of its worker.
      { find: /^prettier\/plugins\/estree$/, replacement: here('./src/ui/panels/editor/monaco/nothing.ts') },
    ],
  },
  worker: { format: 'es', plugins: () => [engineSplit(here('.'))] },
  build: { target: 'es2022', chunkSizeWarningLimit: 4200, reportCompressedSize: true, modulePreload: { polyfill: false } },
});
