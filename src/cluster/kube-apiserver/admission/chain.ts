import { isStatus } from '../../../api/meta/status.ts';
import type { ApiObject } from '../../../api/resources.ts';
import type { Status } from '../../../api/schema/types.ts';
import type { Call, Outcome } from '../environment.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import type { Attributes, Plugin } from './plugin.ts';
import { podSecurity } from './pod-security.ts';
import { priority } from './priority.ts';
import { resourceQuota } from './resource-quota.ts';
import { runtimeClass } from './runtime-class.ts';
import { serviceAccount } from './service-account.ts';
import { storageObjectInUse } from './storage-object-in-use.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

/** In the order of the real server. Upstream: pkg/kubeapiserver/options/plugins.go AllOrderedPlugins. */
const plugins: readonly Plugin[] = [
  namespaceLifecycle, limitRanger, serviceAccount, taintNodesByCondition, podSecurity, priority, defaultTolerationSeconds, storageObjectInUse, runtimeClass, resourceQuota,
];

/** Lets each plugin change the object, or refuse it. */
export function admit(call: Call, object: ApiObject, old: ApiObject | undefined): Outcome {
  let current = object;
  for (const plugin of plugins) {
    if (plugin.admit === undefined || !concerns(plugin, call)) continue;
    const outcome = plugin.admit(attributes(call, current, old));
    if (isStatus(outcome)) return outcome;
    current = outcome;
  }
  return current;
}

/** The second round, after the kind's own validation. */
export function validateAdmission(call: Call, object: ApiObject, old: ApiObject | undefined): Status | undefined {
  for (const plugin of plugins) {
    if (plugin.validate === undefined || !concerns(plugin, call)) continue;
    const refusal = plugin.validate(attributes(call, object, old));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

const concerns = ({ resources }: Plugin, { info, subresource }: Call): boolean =>
  subresource === undefined && (resources === undefined || resources.includes(info.resource));

const attributes = (call: Call, object: ApiObject, old: ApiObject | undefined): Attributes => ({
  call, object, old, name: object.metadata.name || object.metadata.generateName || '',
});
