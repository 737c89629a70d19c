import { ask, pathOf } from '../api.ts';
import { samePlain } from '../../sim/plain.ts';
import type { Deployment, StatefulSet } from '../../api/schema/types.ts';
import type { Look } from '../describe/look.ts';
import { templateLines } from '../describe/pod.ts';
import { isFailure, plainError, statusError } from '../failure.ts';
import { dryRunOf } from '../report.ts';
import type { Found } from '../targets.ts';
import type { Change } from '../write.ts';
import { revisionsOf, type Revision } from './revisions.ts';

const kept = ['kubectl.kubernetes.io/last-applied-configuration', ...['revision', 'revision-history', 'desired-replicas', 'max-replicas'].map((key) => `deployment.kubernetes.io/${key}`), 'deprecated.deployment.rollback.to'];
const hashLabel = 'pod-template-hash';

/** Goes back to a revision; what was done. Upstream: polymorphichelpers/rollback.go. */
export function rollBack(change: Change, look: Look, found: Found, to: number): string {
  const { info, object, namespace, name } = found;
  const revisions = revisionsOf(look, found);
  if (revisions === undefined) throw plainError(`no rollbacker has been implemented for "${info.kind}${info.group === '' ? '' : `.${info.group}`}"`);
  const isDeployment = info.resource === 'deployments.apps';
  const revision = to === 0 ? revisions.at(-2) : revisions.find(({ number }) => number === to);
  if (revision === undefined) {
    if (to !== 0) throw plainError(`unable to find specified revision ${to} in history`);
    throw plainError(isDeployment ? `no rollout history found for deployment "${name}"` : 'no last revision to roll back to');
  }
  if (dryRunOf(change.parsed) === 'client') return templateLines(revision.template);
  if (isDeployment && (object as Deployment).spec.paused === true) throw plainError("you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again");
  const now = (object as Deployment | StatefulSet).spec.template;
  if (samePlain(withoutHashLabel(revision.template), withoutHashLabel(now))) return `skipped rollback (current template already matches revision ${to})`;
  const type = isDeployment ? 'application/json-patch+json' : 'application/strategic-merge-patch+json';
  const query: Record<string, string> = dryRunOf(change.parsed) === 'server' ? { dryRun: 'All' } : {};
  const response = ask(change.client, 'PATCH', pathOf(info, namespace, name), { query, body: isDeployment ? deploymentPatch(object as Deployment, revision) : revision.patch, contentType: type });
  if (isFailure(response)) throw statusError(response);
  return 'rolled back';
}

function withoutHashLabel(template: Revision['template']): unknown {
  const { [hashLabel]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

function deploymentPatch({ metadata }: Deployment, { template, annotations = {} }: Revision): unknown {
  const own = Object.entries(metadata.annotations ?? {}).filter(([key]) => kept.includes(key));
  const its = Object.entries(annotations).filter(([key]) => !kept.includes(key));
  return [
    { op: 'replace', path: '/spec/template', value: withoutHashLabel(template) },
    { op: metadata.annotations === undefined ? 'add' : 'replace', path: '/metadata/annotations', value: Object.fromEntries([...own, ...its]) },
  ];
}
