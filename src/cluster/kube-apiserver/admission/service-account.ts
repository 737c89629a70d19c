import { randomSuffix } from '../../../api/meta/random-name.ts';
import { keyOf, type ApiObject } from '../../../api/resources.ts';
import type { Container, Pod, ServiceAccount, Volume } from '../../../api/schema/types.ts';
import type { Call } from '../environment.ts';
import { forbid, type Plugin } from './plugin.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** A token lives an hour and seven seconds: old clients asked for just that. Upstream: pkg/serviceaccount WarnOnlyBoundTokenExpirationSeconds. */
const tokenSeconds = 3607;

/** Upstream: plugin/pkg/admission/serviceaccount. */
export const serviceAccount: Plugin = {
  name: 'ServiceAccount',
  resources: ['pods'],
  admit: (attributes) => {
    const { call, object, old } = attributes;
    if (old !== undefined) return object;
    const pod = object as Pod;
    const name = pod.spec?.serviceAccountName || 'default';
    const account = call.env.store.get(keyOf('serviceaccounts', call.namespace, name)) as ServiceAccount | undefined;
    if (account === undefined && !comesSoon(call, name)) {
      return forbid(attributes, `error looking up service account ${call.namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`);
    }
    let spec: Pod['spec'] = { ...pod.spec, serviceAccountName: name, serviceAccount: name };
    if (spec.automountServiceAccountToken ?? account?.automountServiceAccountToken ?? true) {
      const random = call.env.random('kube-api-access');
      spec = mountToken(spec, `kube-api-access-${randomSuffix((limit) => random.below(limit))}`);
    }
    if ((spec.imagePullSecrets?.length ?? 0) === 0 && account?.imagePullSecrets !== undefined) spec = { ...spec, imagePullSecrets: account.imagePullSecrets };
    return { ...pod, spec } as ApiObject;
  },
};

/** Upstream looks for the default account ten times, 100 to 200 ms apart. */
const patienceMs = 1500;

/**
 * A namespace that was just made has no default account for a moment; the real server waits for it.
 * Simplified: the pod is taken at once, as it would be once the account is there.
 */
function comesSoon({ env, namespace }: Call, name: string): boolean {
  if (name !== 'default') return false;
  const versions = env.store.versionsOf(keyOf('namespaces', undefined, namespace));
  const made = versions.findLast((version, index) => version.object !== undefined && versions[index - 1]?.object === undefined);
  return made !== undefined && versions.at(-1)?.object !== undefined && env.now - made.at < patienceMs;
}

function mountToken<S extends Pod['spec']>(spec: S, volumeName: string): S {
  let used = false;
  const withMount = (container: Container): Container => {
    if (container.volumeMounts?.some((mount) => mount.mountPath === mountPath) === true) return container;
    used = true;
    return { ...container, volumeMounts: [...(container.volumeMounts ?? []), { name: volumeName, readOnly: true, mountPath }] };
  };
  const containers = (spec.containers ?? []).map(withMount);
  const initContainers = spec.initContainers?.map(withMount);
  if (!used) return spec;
  return { ...spec, containers, ...(initContainers === undefined ? {} : { initContainers }), volumes: [...(spec.volumes ?? []), tokenVolume(volumeName)] };
}

const tokenVolume = (name: string): Volume => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
    ],
    defaultMode: 420,
  },
});
