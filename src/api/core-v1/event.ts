import { invalid, required } from '../meta/field-error.ts';
import { ruled, type Errors } from '../meta/check.ts';
import { dns1123SubdomainProblems, labelKeyProblems } from '../meta/names.ts';
import type { Event } from '../schema/types.ts';
import { fill } from './pod-defaults.ts';

/** Events of the core group. Upstream: pkg/apis/core/validation/events.go. */

export function defaultEvent(event: Event): void {
  const plain = event as unknown as Record<string, unknown>;
  fill(plain, { source: {}, involvedObject: {}, firstTimestamp: null, lastTimestamp: null, eventTime: null, reportingComponent: '', reportingInstance: '' });
}

const limits = [['reportingInstance', 128], ['action', 128], ['reason', 128]] as const;

export function validateEvent(errors: Errors, event: Event): void {
  const about = event.involvedObject?.namespace ?? '';
  const own = event.metadata.namespace ?? '';
  const mismatch = () => errors.push(invalid('involvedObject.namespace', about, 'does not match event.namespace'));
  if (!event.eventTime) {
    if (about === '' ? own !== '' && own !== 'default' : own !== about) mismatch();
  } else {
    if (about === '' && own !== 'default' && own !== 'kube-system') mismatch();
    const controller = event.reportingComponent ?? '';
    if (controller === '') errors.push(required('reportingComponent'));
    ruled(errors, 'reportingComponent', controller, labelKeyProblems);
    for (const [field, max] of limits) {
      const value = event[field] ?? '';
      if (value === '') errors.push(required(field));
      if (value.length > max) errors.push(invalid(field, '', `can have at most ${max} characters`));
    }
    if ((event.message ?? '').length > 1024) errors.push(invalid('message', '', 'can have at most 1024 characters'));
  }
  ruled(errors, 'namespace', own, dns1123SubdomainProblems);
}
