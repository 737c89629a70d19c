import { defineConfig } from '@playwright/test';

const port = 4179;

export default defineConfig({
  testDir: 'journeys',
  timeout: 60_000,
  workers: 1,
  // A busy machine may miss a step once; a second failure is one. The report says which test was flaky.
  retries: process.env.CI === 'true' ? 1 : 0,
  reporter: [['list']],
  outputDir: '../test-results',
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    launchOptions: {
      ...(process.env.CHROMIUM_PATH === undefined ? {} : { executablePath: process.env.CHROMIUM_PATH }),
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking'],
    },
  },
  webServer: { command: `npx vite preview --port ${port} --strictPort --host 127.0.0.1`, cwd: '..', url: `http://127.0.0.1:${port}/`, reuseExistingServer: false, timeout: 60_000 },
});
