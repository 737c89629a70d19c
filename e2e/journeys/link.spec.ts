import { cursor, expect, headline, idle, test } from './page.ts';

test('a link opens at the same instant with the same state', async ({ app, context }) => {
  await app.goto('./');
  await expect(headline(app)).toHaveText('Running, Ready', { timeout: 20_000 });
  await app.getByRole('button', { name: 'Pause' }).click();
  await app.getByRole('button', { name: 'Step back' }).click();
  await idle(app);
  await app.getByRole('button', { name: 'Share' }).click();
  const link = await app.getByRole('dialog').getByRole('textbox').first().inputValue();
  expect(link).toContain('#v1.');
  const other = await context.newPage();
  await other.goto(link);
  await expect(headline(other)).toBeVisible();
  await idle(other);
  expect(await cursor(other)).toBe(await cursor(app));
  await app.keyboard.press('Escape');
  await expect(headline(other)).toHaveText((await headline(app).textContent()) ?? '');
});

test('a broken link says so and an example opens', async ({ page }) => {
  await page.goto('./#v1.thisisnotalink');
  await expect(page.getByRole('heading', { name: 'This link is damaged' })).toBeVisible();
  await page.getByRole('button', { name: 'Open an example' }).click();
  await expect(page.getByRole('button', { name: /^Apply/ })).toBeVisible();
});
