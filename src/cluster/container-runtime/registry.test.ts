import { expect, test } from 'vitest';
import { parseReference, type ImageReference } from './reference.ts';
import { askRegistry } from './registry.ts';
import type { RegistryEntry, RuntimeSettings } from './state.ts';
import { testRuntime } from './testing/test-runtime.ts';

const settings = (registry: RuntimeSettings['registry'], registryImages: RegistryEntry[] = []): RuntimeSettings => ({ node: 'node-a', index: 0, images: {}, registry, registryImages, workloads: [] });

function answer(image: string, kind: RuntimeSettings['registry'] = 'playground', entries: RegistryEntry[] = [], credentials: string[] = []): string {
  const result = askRegistry(settings(kind, entries), parseReference(image) as ImageReference, credentials);
  return result.ok ? 'ok' : result.why;
}

test.each([
  ['nginx', 'docker.io/library/nginx:latest'],
  ['nginx:1.27', 'docker.io/library/nginx:1.27'],
  ['shop/web:v2', 'docker.io/shop/web:v2'],
  ['localhost:5000/web', 'localhost:5000/web:latest'],
  ['registry.k8s.io/pause:3.10', 'registry.k8s.io/pause:3.10'],
  [`nginx@sha256:${'a'.repeat(64)}`, `docker.io/library/nginx@sha256:${'a'.repeat(64)}`],
])('R-1: %s means %s', (image, name) => {
  expect(parseReference(image)).toMatchObject({ name });
});

test.each([
  ['MyOrg/Web:v1', 'invalid reference format: repository name (Web) must be lowercase'],
  ['Nginx', 'invalid reference format: repository name (library/Nginx) must be lowercase'],
  ['nginx:', 'invalid reference format'],
  ['nginx:1.2 5', 'invalid reference format'],
  ['', 'invalid reference format'],
])('R-1: %s is refused: %s', (image, error) => {
  expect(parseReference(image)).toBe(error);
});

test.each([
  ['nginx:1.25', 'ok'], ['nginx:slow20', 'ok'], ['nginx:9.9', 'not-found'], ['nginx:1.27', 'not-found'], ['web:local', 'denied'], ['private:1.0', 'denied'], ['nope.example.com/x:1', 'no-host'],
])('R-2: the recorded registry says of %s: %s', (image, expected) => {
  expect(answer(image, 'recorded')).toBe(expected);
});

test.each([
  ['nginx:1.27', 'ok'], ['nginx:1.27.3-alpine3.20', 'ok'], ['nginx:stable-alpine', 'ok'], ['node:22-bookworm-slim', 'ok'], ['postgres:17.2', 'ok'], ['redis:7-alpine', 'ok'],
  ['python:3.12-slim', 'ok'], ['mysql:8.4', 'ok'], ['ubuntu:24.04', 'ok'], ['eclipse-temurin:21-jre-alpine', 'ok'], ['polinux/stress', 'ok'], ['k8s.gcr.io/pause:3.1', 'ok'],
  ['registry.k8s.io/e2e-test-images/agnhost:2.40', 'ok'], ['perl:5.34.0', 'ok'], ['httpd:2.4', 'ok'], ['mongo:6.0', 'ok'], ['gcr.io/google-samples/hello-app:1.0', 'ok'],
  ['nginx:nope', 'not-found'], ['nginx:1.2555', 'not-found'], ['nginx:latets', 'not-found'], ['nginx:1.99', 'not-found'], ['redis:99', 'not-found'],
  ['myregistry/shop:1.4', 'ok'], ['registry.example.com/team/api:2.0.1', 'ok'], ['my-app:v1', 'ok'], ['shop/api:typo', 'not-found'],
  ['nosuchimage', 'denied'], ['doesnotexist:1.0', 'denied'], ['ngnix:1.25', 'denied'], ['nginxx', 'denied'], ['rediss:7', 'denied'], ['nope.example.com/x:1', 'no-host'], ['acme/private/api:1', 'denied'],
])('R-3: the playground\'s registries say of %s: %s', (image, expected) => {
  expect(answer(image)).toBe(expected);
});

test('R-4: a private image opens with a secret for its host; a repository of the scenario has only the tags listed', () => {
  const entries = [{ image: 'shop/api:1.4', private: true }];
  expect(answer('shop/api:1.4', 'playground', entries)).toBe('denied');
  expect(answer('shop/api:1.4', 'playground', entries, ['https://index.docker.io/v1/'])).toBe('ok');
  expect(answer('shop/api:1.5', 'playground', entries, ['docker.io'])).toBe('not-found');
});

test.each([
  ['nginx:9.9', 'rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:9.9": failed to resolve image: docker.io/library/nginx:9.9: not found'],
  ['private:1.0', 'failed to pull and unpack image "docker.io/library/private:1.0": failed to resolve image: pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed'],
  ['nope.example.com/x:1', 'failed to pull and unpack image "nope.example.com/x:1": failed to resolve image: failed to do request: Head "https://nope.example.com/v2/x/manifests/1": dial tcp: lookup nope.example.com on 172.30.0.1:53: no such host'],
])('R-5: a pull of %s fails with the recorded text', (image, error) => {
  expect(testRuntime({}, { registry: 'recorded' }).call({ op: 'pull-image', image, credentials: [] }).result).toEqual({ ok: false, error });
});

test('R-6: a pull takes what the scenario says; then the image is there', () => {
  const runtime = testRuntime({}, { registry: 'recorded', images: { absent: ['nginx:slow20'], pullTakes: { 'nginx:slow20': '20s' } } });
  expect(runtime.view.imagePresent('nginx:slow20')).toEqual({ present: false });
  expect(runtime.call({ op: 'pull-image', image: 'nginx:slow20', credentials: [] }).result).toMatchObject({ ok: true, tookMs: 20_000 });
  expect(runtime.simulation.now).toBe(20_000);
  expect(runtime.view.imagePresent('nginx:slow20').present).toBe(true);
  expect(runtime.view.imagePresent('nginx:1.25').imageRef).toMatch(/^docker\.io\/library\/nginx@sha256:[0-9a-f]{64}$/);
});

test('R-7: a fault makes pulls fail or slow until it is taken back', () => {
  const runtime = testRuntime();
  const pull = () => runtime.call({ op: 'pull-image', image: 'shop/api:1.4', credentials: [] }).result;
  runtime.send('fault', { image: 'shop/api', pull: 'fail' });
  expect(pull()).toMatchObject({ ok: false, error: expect.stringContaining('503 Service Unavailable') });
  runtime.send('fault', { image: 'shop/api', pull: 'slow', takes: '90s' });
  expect(pull()).toMatchObject({ ok: true, tookMs: 90_000 });
  runtime.send('fault', { image: 'shop/api', pull: 'none' });
  expect(pull()).toMatchObject({ ok: true });
});
