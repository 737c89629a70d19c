import { apiVersionOf, resources, type ResourceInfo } from '../../../api/resources.ts';

/**
 * OpenAPI v3, as much as a client needs to know that fields are checked by the server: paths and their parameters.
 * Simplified: no schemas, so that `explain` has nothing to show. Upstream: apiserver routes/openapi.go.
 */
export function openApi(path: string): unknown {
  if (!/^\/openapi\/v3(\/|$)/.test(path)) return undefined;
  const rest = path.slice('/openapi/v3'.length).replace(/^\/|\/$/g, '');
  if (rest === '') {
    const roots = [...new Set(resources.map(rootOf))];
    return { paths: Object.fromEntries(roots.map((root) => [root, { serverRelativeURL: `/openapi/v3/${root}?hash=1` }])) };
  }
  const chosen = resources.filter((info) => rootOf(info) === rest);
  return chosen.length === 0 ? undefined : {
    openapi: '3.0.0', info: { title: 'Kubernetes', version: 'v1.37.2' }, paths: Object.fromEntries(chosen.map((info) => [pathOf(info), operations(info)])), components: { schemas: {} },
  };
}

const rootOf = (info: ResourceInfo): string => (info.group === '' ? 'api/v1' : `apis/${apiVersionOf(info)}`);
const pathOf = (info: ResourceInfo): string => `/${rootOf(info)}${info.namespaced ? '/namespaces/{namespace}' : ''}/${info.plural}/{name}`;

const parameters = ['pretty', 'dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
  name, in: 'query', description: '', schema: { type: name === 'force' ? 'boolean' : 'string', uniqueItems: true },
}));

function operations({ group, version, kind, plural }: ResourceInfo): object {
  const operation = (action: string) => ({
    operationId: `${action}${plural}`, 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': { group, version, kind }, parameters, responses: { 200: { description: 'OK' } },
  });
  return { get: operation('get'), put: operation('put'), patch: operation('patch'), delete: operation('delete') };
}
