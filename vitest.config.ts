import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'scripts/**/*.test.ts'],
    setupFiles: ['scripts/vitest-setup.ts'],
    testTimeout: 60_000,
    env: { TZ: 'UTC', LANG: 'C' },
  },
});
