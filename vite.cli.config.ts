import { defineConfig } from 'vite';

/** The command line: the same engine, one file for Node. */
export default defineConfig({
  logLevel: 'error',
  publicDir: false,
  build: {
    ssr: 'src/cli/kubelapse.ts',
    outDir: 'dist-cli',
    target: 'node20',
    minify: false,
    sourcemap: true,
    rollupOptions: { output: { entryFileNames: 'kubelapse.mjs', format: 'es' } },
  },
  ssr: { noExternal: true },
});
