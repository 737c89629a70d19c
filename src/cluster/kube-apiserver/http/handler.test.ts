import { describe, expect, it } from 'vitest';
import type { Status } from '../../../api/schema/types.ts';
import { createTestServer, podManifest } from '../testing/test-server.ts';
import { createWatchFilter, watchParams } from './watch.ts';

const pods = '/api/v1/namespaces/default/pods';
const messageOf = (body: unknown) => (body as Status).message;

describe('the REST surface', () => {
  it('answers for paths that mean nothing as the real server does (H-1)', () => {
    const server = createTestServer();
    expect(server.http('GET', '/nope')).toMatchObject({ code: 404, body: '404 page not found\n' });
    expect(server.http('GET', '/api/v1/widgets')).toMatchObject({ code: 404, body: { message: 'the server could not find the requested resource' } });
    expect(server.http('PUT', pods, podManifest('a'))).toMatchObject({ code: 405, body: { reason: 'MethodNotAllowed' } });
    expect(server.http('GET', '/version').body).toMatchObject({ gitVersion: 'v1.37.2' });
    expect(server.http('GET', '/apis/apps/v1').body).toMatchObject({ kind: 'APIResourceList', groupVersion: 'apps/v1' });
    const aggregated = server.http('GET', '/apis', undefined, { Accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' });
    expect(aggregated).toMatchObject({ headers: { 'Content-Type': expect.stringContaining('APIGroupDiscoveryList') }, body: { kind: 'APIGroupDiscoveryList' } });
    const document = server.http('GET', '/openapi/v3/apis/apps/v1').body as { paths: Record<string, { patch: { parameters: { name: string }[] } }> };
    expect(document.paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}']?.patch.parameters.map(({ name }) => name)).toContain('fieldValidation');
  });

  it('lists with selectors, in pages (H-4, H-5)', () => {
    const server = createTestServer();
    for (const name of ['a', 'b', 'c']) server.http('POST', pods, podManifest(name, {}, { labels: { set: name === 'c' ? 'y' : 'x' } }));
    const names = (path: string) => (server.http('GET', path).body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
    expect(names(`${pods}?labelSelector=${encodeURIComponent('set in (x)')}`)).toEqual(['a', 'b']);
    expect(names(`${pods}?fieldSelector=metadata.name%3Dc`)).toEqual(['c']);
    const page = server.http('GET', `${pods}?limit=2`).body as { metadata: { continue: string; remainingItemCount: number } };
    expect(page.metadata.remainingItemCount).toBe(1);
    server.http('POST', pods, podManifest('d'));
    expect(names(`${pods}?limit=2&continue=${page.metadata.continue}`)).toEqual(['c']);
    expect(messageOf(server.http('GET', `${pods}?fieldSelector=spec.foo%3Dx`).body)).toBe('field label not supported: spec.foo');
  });

  it('answers with a Table when asked for one (H-6)', () => {
    const server = createTestServer();
    server.http('POST', pods, podManifest('a'));
    const table = server.http('GET', pods, undefined, { Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }).body;
    expect(table).toMatchObject({ kind: 'Table', rows: [{ cells: ['a', '0/1', 'Pending', '0', '0s', '<none>', '<none>', '<none>', '<none>'] }] });
  });

  it('says which fields it does not know, as loudly as it is asked to (H-2)', () => {
    const server = createTestServer();
    const odd = { ...podManifest('a'), bogus: 1 };
    expect(server.http('POST', `${pods}?dryRun=All`, odd)).toMatchObject({ code: 201, warnings: ['unknown field "bogus"'] });
    expect(messageOf(server.http('POST', `${pods}?fieldValidation=Strict`, odd).body))
      .toBe('Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "bogus"');
    expect(messageOf(server.http('POST', pods, '{"kind":"Pod","apiVersion":"v1"} x').body)).toContain("invalid character 'x' after top-level value");
  });

  it('sees an object come and go with the selector of a watch (H-7)', () => {
    const server = createTestServer();
    const params = watchParams(pods, { watch: '1', labelSelector: 'a=1' });
    const filter = createWatchFilter(params as NonNullable<typeof params>);
    if (typeof filter !== 'function') throw new Error('a filter is expected');
    const from = server.store.changeCount;
    server.http('POST', pods, podManifest('p', {}, { labels: { a: '0' } }));
    for (const a of ['1', '0']) server.http('PATCH', `${pods}/p`, { metadata: { labels: { a } } }, { 'Content-Type': 'application/merge-patch+json' });
    expect(server.store.changesFrom(from).map((change) => filter(change)?.type)).toEqual([undefined, 'ADDED', 'DELETED']);
  });

  it('keeps the log of an unscheduled pod empty and asks which container is meant (H-8)', () => {
    const server = createTestServer();
    server.http('POST', pods, podManifest('one'));
    server.http('POST', pods, podManifest('two', { containers: [{ name: 'a', image: 'x' }, { name: 'b', image: 'x' }] }));
    expect(server.http('GET', `${pods}/one/log`)).toMatchObject({ code: 204, body: '' });
    expect(messageOf(server.http('GET', `${pods}/two/log`).body)).toBe('a container name must be specified for pod two, choose one of: [a b]');
  });
});
