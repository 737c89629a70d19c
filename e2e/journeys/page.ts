import { test as base, expect, type Page } from '@playwright/test';

/** A page that must stay clean: no console error, no bug of ours, no request to anywhere else. */
export const test = base.extend<{ app: Page }>({
  app: async ({ page, baseURL }, use) => {
    const wrong: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => wrong.push(`page: ${error.message}`));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(baseURL ?? '') && !url.startsWith('data:') && !url.startsWith('blob:')) wrong.push(`request to ${url}`);
    });
    await use(page);
    expect(wrong).toEqual([]);
  },
});

export { expect };

/** The pod's headline in the inspector. */
export const headline = (page: Page) => page.getByRole('complementary').getByRole('heading', { level: 2 });

/** Replaces the whole text of the editor by a paste, whichever of the two editors it is at the moment. */
export async function typeManifest(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await page.getByRole('region', { name: 'Editor' }).getByRole('textbox').first().focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+v');
}

/** Simulated time at the playhead, milliseconds. */
export const cursor = (page: Page): Promise<number> => page.evaluate(() => (window as unknown as { __kubelapse: { state(): { cursor: number } } }).__kubelapse.state().cursor);

export const idle = (page: Page): Promise<void> => page.evaluate(() => (window as unknown as { __kubelapse: { whenIdle(): Promise<void> } }).__kubelapse.whenIdle());
