import { expect, headline, test, typeManifest } from './page.ts';

const pod = (name: string, more = '') => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
  restartPolicy: Never
  containers:
    - name: app
      image: busybox:1.36
      command: ["sh", "-c", "echo hello; sleep 3"]
${more}`;

test.describe('a manifest of one\'s own', () => {
  test('is applied and runs to its end', async ({ app }) => {
    await app.goto('./');
    await expect(headline(app)).toHaveText('Running, Ready', { timeout: 20_000 });
    await typeManifest(app, pod('mine'));
    await app.getByRole('button', { name: /^Apply/ }).click();
    await expect(app.getByRole('treeitem', { name: /^mine / })).toBeVisible();
    await app.getByRole('treeitem', { name: /^mine / }).click({ position: { x: 50, y: 8 } });
    await expect(headline(app)).toHaveText(/Completed|Succeeded/, { timeout: 20_000 });
    await app.getByRole('tab', { name: 'Logs' }).click();
    await expect(app.getByRole('complementary')).toContainText('hello');
  });

  test('is refused at its line in the API server\'s words', async ({ app }) => {
    await app.goto('./');
    await typeManifest(app, pod('mine').replace('restartPolicy: Never', 'restartPolicy: Sometimes'));
    await expect(app.getByRole('region', { name: 'Editor' })).toContainText('spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"');
    await expect(app.getByRole('region', { name: 'Editor' })).toContainText('line 6');
  });

  test('with full-width punctuation is repaired with one click', async ({ app }) => {
    await app.goto('./');
    await typeManifest(app, pod('mine').replace('kind: Pod', 'kind： Pod'));
    const editor = app.getByRole('region', { name: 'Editor' });
    await expect(editor).toContainText('：');
    await editor.getByRole('button', { name: /replace|use|fix/i }).first().click();
    await expect(editor).toContainText('No problems');
  });

  test('is not lost by a reload', async ({ app }) => {
    await app.goto('./');
    await typeManifest(app, pod('keepme'));
    await app.waitForFunction(() => Object.values(localStorage).some((value) => value.includes('keepme')), undefined, { timeout: 4000 });
    await app.reload();
    await expect(app.getByRole('region', { name: 'Editor' })).toContainText('keepme');
  });
});
