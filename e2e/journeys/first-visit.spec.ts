import { cursor, expect, headline, idle, test } from './page.ts';

test.describe('a first visit', () => {
  test('shows a pod come to life without a click', async ({ app }) => {
    await app.goto('./');
    await expect(headline(app)).toHaveText('Running, Ready', { timeout: 20_000 });
    await expect(app.getByRole('treeitem', { name: /^web 1\/1/ })).toBeVisible();
  });

  test('stands still where movement is not wanted', async ({ app }) => {
    await app.emulateMedia({ reducedMotion: 'reduce' });
    await app.goto('./');
    await expect(app.getByRole('button', { name: 'Play' })).toBeVisible();
    await idle(app);
    const before = await cursor(app);
    await app.getByRole('button', { name: 'Step forward' }).click();
    await expect.poll(() => cursor(app)).toBeGreaterThan(before);
  });

  test('steps from event to event in both directions, and says the same both ways', async ({ app }) => {
    await app.goto('./');
    await expect(headline(app)).toHaveText('Running, Ready', { timeout: 20_000 });
    await app.getByRole('button', { name: 'Pause' }).click();
    await app.getByRole('button', { name: 'To the start' }).click();
    const seen: string[] = [];
    const read = async () => `${await cursor(app)} ${await app.getByRole('complementary').innerText()}`.replace(/\d+(\.\d+)? (ms|s) ago|in [\d.]+ m?s|刚刚/g, '');
    const times: number[] = [];
    for (let i = 0; i < 6; i++) {
      await app.getByRole('button', { name: 'Step forward' }).click();
      await idle(app);
      times.push(await cursor(app));
      seen.push(await read());
    }
    expect([...times].sort((a, b) => a - b)).toEqual(times);
    for (let i = 4; i >= 0; i--) {
      await app.getByRole('button', { name: 'Step back' }).click();
      await idle(app);
      expect(await cursor(app)).toBe(times[i]);
      await expect.poll(read).toBe(seen[i]);
    }
  });

  test('speaks the browser\'s language and changes it in one click', async ({ browser, baseURL }) => {
    const context = await browser.newContext({ locale: 'zh-CN', baseURL: baseURL ?? '' });
    const page = await context.newPage();
    await page.goto('./');
    await expect(page.locator('html')).toHaveAttribute('lang', /zh/);
    await expect(page.getByRole('button', { name: '分享' })).toBeVisible();
    await page.getByRole('button').filter({ hasText: /^EN$/ }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('button', { name: 'Share' })).toBeVisible();
    await context.close();
  });
});
