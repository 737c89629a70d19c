import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, headline, test } from './page.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

for (const colorScheme of ['dark', 'light'] as const) {
  for (const locale of ['en-US', 'zh-CN']) {
    test(`the main page has no axe violation (${colorScheme}, ${locale})`, async ({ browser, baseURL }) => {
      const context = await browser.newContext({ colorScheme, locale, baseURL: baseURL ?? '', viewport: { width: 1440, height: 900 } });
      const page = await context.newPage();
      await page.goto('./');
      await expect(headline(page)).toHaveText(locale === 'en-US' ? 'Running, Ready' : /就绪/, { timeout: 20_000 });
      await expect(page.locator('.monaco-editor').first()).toBeVisible({ timeout: 20_000 });
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => {
        const { axe: runner } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
        return (await runner.run()).violations;
      });
      expect(violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join(' | ')}`)).toEqual([]);
      await context.close();
    });
  }
}
