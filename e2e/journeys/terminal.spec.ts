import type { Page } from '@playwright/test';
import { cursor, expect, headline, test } from './page.ts';

const terminal = (page: Page) => page.getByRole('region', { name: 'Terminal' });
const screen = (page: Page) => terminal(page).getByRole('list');

async function open(page: Page): Promise<void> {
  await page.goto('./');
  await expect(headline(page)).toHaveText('Running, Ready', { timeout: 20_000 });
  await page.getByRole('tab', { name: 'Terminal' }).click();
  await expect(terminal(page).getByRole('textbox', { name: /kubectl/ })).toBeFocused();
}

async function give(page: Page, line: string): Promise<void> {
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await page.keyboard.press('ControlOrMeta+v');
}

test.describe('the terminal', () => {
  test('reads the cluster as it is at the playhead', async ({ app }) => {
    await open(app);
    await app.getByRole('button', { name: 'Pause' }).click();
    await terminal(app).getByRole('textbox').focus();
    const before = await cursor(app);
    await give(app, 'kubectl get pods');
    await expect(screen(app)).toContainText(/web +1\/1 +Running +0/);
    expect(await cursor(app)).toBe(before);
    await give(app, 'k get nodes --no-headers | grep -c Ready');
    await expect(screen(app)).toContainText('2');
    await give(app, 'foo');
    await expect(screen(app)).toContainText('bash: foo: command not found');
  });

  test('changes the cluster, and time goes on', async ({ app }) => {
    await open(app);
    await app.getByRole('button', { name: 'Pause' }).click();
    await terminal(app).getByRole('textbox').focus();
    const before = await cursor(app);
    await give(app, 'kubectl delete pod web --wait=false');
    await expect(screen(app)).toContainText('pod "web" deleted');
    await expect(headline(app)).toHaveText(/Terminating|Deleted/);
    await expect(headline(app)).toHaveText('Deleted', { timeout: 20_000 });
    expect(await cursor(app)).toBeGreaterThan(before);
  });

  test('waits with a command that waits', async ({ app }) => {
    await open(app);
    await give(app, 'kubectl delete pod web; kubectl get pods');
    await expect(screen(app)).toContainText('No resources found in default namespace.', { timeout: 20_000 });
    await give(app, 'kubectl get pods -w');
    await expect(screen(app)).toContainText('Ctrl+C ends it');
    await app.keyboard.press('Control+c');
    await expect(screen(app)).toContainText('^C');
  });

  test('takes a here-document that is pasted', async ({ app }) => {
    await open(app);
    await paste(app, 'kubectl apply -f - <<EOF\napiVersion: v1\nkind: Pod\nmetadata:\n  name: pasted\nspec:\n  containers:\n    - name: app\n      image: nginx:1.27\nEOF\n');
    await expect(screen(app)).toContainText('pod/pasted created');
    await expect(app.getByRole('treeitem', { name: /^pasted / })).toBeVisible();
  });

  test('completes, recalls, and lets Tab leave', async ({ app }) => {
    await open(app);
    await app.keyboard.type('kubectl get po');
    await app.keyboard.press('Tab');
    await app.keyboard.type('s w');
    await app.keyboard.press('Tab');
    await app.keyboard.type('-o name');
    await app.keyboard.press('Enter');
    await expect(screen(app)).toContainText('pod/web');
    await app.keyboard.press('ArrowUp');
    await app.keyboard.press('Control+w');
    await app.keyboard.type("jsonpath='{.spec.containers[*].image}'");
    await app.keyboard.press('Enter');
    await expect(screen(app)).toContainText('nginx:1.27');
    await app.keyboard.press('Control+m');
    await expect(terminal(app)).toContainText('Tab leaves the terminal');
    await app.keyboard.press('Tab');
    await expect(terminal(app).getByRole('textbox')).not.toBeFocused();
    await app.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await terminal(app).getByRole('button', { name: 'Copy all' }).click();
    expect(await app.evaluate(() => navigator.clipboard.readText())).toContain('$ kubectl get pods web -o name\npod/web\n');
  });
});
