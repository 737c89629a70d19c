import { expect, headline, test } from './page.ts';

test('a fault is chosen with K for what is selected, and the film goes on with it', async ({ app }) => {
  await app.goto('./?example=01-first-pod&t=20');
  await expect(headline(app)).toHaveText('Running, Ready');
  await app.getByRole('treeitem', { name: /^web / }).click({ position: { x: 50, y: 8 } });
  await app.keyboard.press('k');
  await app.getByRole('option', { name: /End the process of web with code 1/ }).or(app.getByText('End the process of web with code 1')).first().click();
  await app.getByRole('tab', { name: /^Events/ }).last().click();
  await app.getByRole('button', { name: 'To the newest moment' }).click();
  await expect(app.getByRole('complementary')).toContainText('1 restart');
});
