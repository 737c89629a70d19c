// Makes the editor's JSON Schema (completion and hover) from the API's OpenAPI schemas. Usage: node scripts/generate-editor-schema.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';

const source = new URL('../src/api/schema/openapi/schemas.json', import.meta.url);
const target = new URL('../src/ui/panels/editor/monaco/k8s.schema.json', import.meta.url);
const schemas = JSON.parse(readFileSync(source, 'utf8'));

/** Kinds that the simulator stores: [kind, apiVersion, schema]. */
const kinds = [
  ['Pod', 'v1', 'core.v1'], ['Service', 'v1', 'core.v1'], ['ConfigMap', 'v1', 'core.v1'], ['Secret', 'v1', 'core.v1'], ['Namespace', 'v1', 'core.v1'], ['Node', 'v1', 'core.v1'],
  ['ServiceAccount', 'v1', 'core.v1'], ['LimitRange', 'v1', 'core.v1'], ['ResourceQuota', 'v1', 'core.v1'], ['PersistentVolume', 'v1', 'core.v1'], ['PersistentVolumeClaim', 'v1', 'core.v1'],
  ['ReplicationController', 'v1', 'core.v1'],
  ['Deployment', 'apps/v1', 'apps.v1'], ['ReplicaSet', 'apps/v1', 'apps.v1'], ['StatefulSet', 'apps/v1', 'apps.v1'], ['DaemonSet', 'apps/v1', 'apps.v1'],
  ['Job', 'batch/v1', 'batch.v1'], ['CronJob', 'batch/v1', 'batch.v1'],
  ['PodDisruptionBudget', 'policy/v1', 'policy.v1'], ['PriorityClass', 'scheduling.k8s.io/v1', 'scheduling.v1'], ['HorizontalPodAutoscaler', 'autoscaling/v2', 'autoscaling.v2'],
  ['Ingress', 'networking.k8s.io/v1', 'networking.v1'], ['IngressClass', 'networking.k8s.io/v1', 'networking.v1'], ['NetworkPolicy', 'networking.k8s.io/v1', 'networking.v1'],
  ['StorageClass', 'storage.k8s.io/v1', 'storage.v1'],
].map(([kind, apiVersion, group]) => ({ kind, apiVersion, name: `io.k8s.api.${group}.${kind}` })).filter(({ name }) => name in schemas);

/** Values that the OpenAPI document names only in words. */
const enums = {
  'Container.imagePullPolicy': ['Always', 'IfNotPresent', 'Never'],
  'EphemeralContainer.imagePullPolicy': ['Always', 'IfNotPresent', 'Never'],
  'PodSpec.restartPolicy': ['Always', 'OnFailure', 'Never'],
  'PodSpec.dnsPolicy': ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'],
  'PodSpec.preemptionPolicy': ['PreemptLowerPriority', 'Never'],
  'Container.restartPolicy': ['Always', 'OnFailure', 'Never'],
  'Container.terminationMessagePolicy': ['File', 'FallbackToLogsOnError'],
  'ContainerPort.protocol': ['TCP', 'UDP', 'SCTP'],
  'ServicePort.protocol': ['TCP', 'UDP', 'SCTP'],
  'ServiceSpec.type': ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'],
  'ServiceSpec.sessionAffinity': ['None', 'ClientIP'],
  'ServiceSpec.externalTrafficPolicy': ['Cluster', 'Local'],
  'ServiceSpec.internalTrafficPolicy': ['Cluster', 'Local'],
  'HTTPGetAction.scheme': ['HTTP', 'HTTPS'],
  'Taint.effect': ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  'Toleration.effect': ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
  'Toleration.operator': ['Exists', 'Equal'],
  'DeploymentStrategy.type': ['RollingUpdate', 'Recreate'],
  'StatefulSetUpdateStrategy.type': ['RollingUpdate', 'OnDelete'],
  'DaemonSetUpdateStrategy.type': ['RollingUpdate', 'OnDelete'],
  'StatefulSetSpec.podManagementPolicy': ['OrderedReady', 'Parallel'],
  'JobSpec.completionMode': ['NonIndexed', 'Indexed'],
  'JobSpec.podReplacementPolicy': ['TerminatingOrFailed', 'Failed'],
  'CronJobSpec.concurrencyPolicy': ['Allow', 'Forbid', 'Replace'],
  'PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy': ['IfHealthyBudget', 'AlwaysAllow'],
  'TopologySpreadConstraint.whenUnsatisfiable': ['DoNotSchedule', 'ScheduleAnyway'],
  'NodeSelectorRequirement.operator': ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'],
  'LabelSelectorRequirement.operator': ['In', 'NotIn', 'Exists', 'DoesNotExist'],
  'Secret.type': ['Opaque', 'kubernetes.io/dockerconfigjson', 'kubernetes.io/tls', 'kubernetes.io/basic-auth', 'kubernetes.io/service-account-token'],
  'ContainerResizePolicy.restartPolicy': ['NotRequired', 'RestartContainer'],
};

/** 'io.k8s.api.core.v1.Pod' -> 'Pod': short names; a second group with the same kind keeps its group. */
const shortNames = new Map();
function shortName(full) {
  const known = shortNames.get(full);
  if (known !== undefined) return known;
  const parts = full.split('.');
  const last = parts.at(-1);
  const taken = new Set(shortNames.values());
  const name = taken.has(last) ? `${parts.at(-3)}.${last}` : last;
  shortNames.set(full, name);
  return name;
}

const definitions = {};
function define(full) {
  const name = shortName(full);
  if (name in definitions) return name;
  definitions[name] = {};
  const schema = schemas[full];
  if (schema === undefined) return name;
  const made = convert(schema, full);
  if (made.properties !== undefined) {
    const title = full.split('.').at(-1);
    made.title = title;
    if (!full.includes('apimachinery')) made.additionalProperties = false;
    for (const [field, values] of Object.entries(made.properties)) {
      const choices = enums[`${title}.${field}`];
      if (choices !== undefined) values.enum = choices;
    }
  }
  definitions[name] = made;
  return name;
}

const tidy = (text) => text.replace(/\s+/g, ' ').trim();

function convert(schema, owner) {
  if (schema.$ref !== undefined) return reference(schema.$ref);
  if (schema.allOf?.length === 1 && schema.allOf[0].$ref !== undefined) {
    const target = reference(schema.allOf[0].$ref);
    return schema.description === undefined ? target : { ...target, description: tidy(schema.description) };
  }
  if (schema.format === 'int-or-string' || (owner ?? '').endsWith('.IntOrString')) return { type: ['integer', 'string'], ...words(schema) };
  if ((owner ?? '').endsWith('.Quantity')) return { type: ['string', 'number'], ...words(schema) };
  const made = { ...(schema.type === undefined ? {} : { type: schema.type }), ...words(schema) };
  if (schema.properties !== undefined) made.properties = Object.fromEntries(Object.entries(schema.properties).map(([name, value]) => [name, convert(value)]));
  if (schema.required !== undefined) made.required = schema.required;
  if (schema.items !== undefined) made.items = convert(schema.items);
  if (typeof schema.additionalProperties === 'object') made.additionalProperties = convert(schema.additionalProperties);
  if (schema.enum !== undefined) made.enum = schema.enum;
  if (schema.default !== undefined) made.default = schema.default;
  return made;
}

const words = (schema) => (schema.description === undefined ? {} : { description: tidy(schema.description) });

/** Leaves are put in place, so that a description beside a reference is not lost. */
function reference(ref) {
  const full = ref.slice(ref.lastIndexOf('/') + 1);
  const schema = schemas[full];
  if (schema === undefined) return {};
  if (schema.properties === undefined) return convert(schema, full);
  return { $ref: `#/definitions/${define(full)}` };
}

for (const { kind, apiVersion, name } of kinds) {
  const definition = definitions[define(name)];
  const { properties } = definition;
  properties.apiVersion = { type: 'string', enum: [apiVersion], description: properties.apiVersion.description };
  properties.kind = { type: 'string', enum: [kind], description: properties.kind.description };
  definition.required = [...new Set(['apiVersion', 'kind', 'metadata', ...(definition.required ?? [])])];
  properties.status = { description: 'Written by the cluster. Ignored when applied.' };
}
const meta = definitions.ObjectMeta?.properties;
if (meta !== undefined) meta.managedFields = { description: 'Who wrote what. Kept by the API server.' };

// What only status fields used is not reachable any more.
const reachable = new Set();
const visit = (name) => {
  if (reachable.has(name)) return;
  reachable.add(name);
  JSON.stringify(definitions[name], (key, value) => {
    if (key === '$ref') visit(value.slice(value.lastIndexOf('/') + 1));
    return value;
  });
};
for (const { name } of kinds) visit(shortName(name));

const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['apiVersion', 'kind'],
  properties: {
    apiVersion: { type: 'string', enum: [...new Set(kinds.map((item) => item.apiVersion))] },
    kind: { type: 'string', enum: kinds.map((item) => item.kind) },
  },
  // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
  allOf: kinds.map(({ kind, name }) => ({ if: { properties: { kind: { const: kind } }, required: ['kind'] }, then: { $ref: `#/definitions/${shortName(name)}` } })),
  definitions: Object.fromEntries(Object.entries(definitions).filter(([name]) => reachable.has(name))),
};

const text = `${JSON.stringify(schema)}\n`;
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    process.stderr.write('k8s.schema.json is not what scripts/generate-editor-schema.mjs makes; run it.\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(target, text);
  process.stdout.write(`${kinds.length} kinds, ${reachable.size} definitions, ${Math.round(text.length / 1024)} KiB\n`);
}
