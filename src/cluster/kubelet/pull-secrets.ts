import type { Pod } from '../../api/schema/types.ts';
import { decodeBase64 } from './volumes/base64.ts';
import type { Env } from './state.ts';

/** What the pod's pull secrets open, and which are missing. Upstream: kubelet_pods.go getPullSecretsForPod. */
export function pullSecretNames({ ctx }: Env, pod: Pod): { credentials: string[]; missing: string[] } {
  const credentials: string[] = [];
  const missing: string[] = [];
  for (const { name = '' } of pod.spec.imagePullSecrets ?? []) {
    if (name === '') continue;
    const secret = ctx.live.get('secrets', pod.metadata.namespace, name);
    if (secret === undefined) missing.push(name);
    else credentials.push(...registriesOf(secret.data ?? {}));
  }
  return { credentials, missing };
}

function registriesOf(data: Record<string, string>): string[] {
  const text = data['.dockerconfigjson'] ?? data['.dockercfg'];
  if (text === undefined) return [];
  try {
    const parsed = JSON.parse(decodeBase64(text)) as { auths?: Record<string, unknown> } & Record<string, unknown>;
    return Object.keys(parsed.auths ?? parsed);
  } catch {
    return [];
  }
}
