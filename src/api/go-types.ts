import { fieldsOf, type Field } from './fields.ts';

/** How Go names the types of fields: they show in the errors of its JSON decoder. */

/** Enumerations: the Go type, then the fields that have it ('Struct.field' or 'field' where every struct agrees). */
const stringTypes = `
v1.RestartPolicy PodSpec.restartPolicy|v1.ContainerRestartPolicy Container.restartPolicy EphemeralContainer.restartPolicy
v1.ResourceResizeRestartPolicy ContainerResizePolicy.restartPolicy|v1.ResourceName ContainerResizePolicy.resourceName ContainerResourceMetricSource.name ResourceMetricSource.name
v1.PullPolicy imagePullPolicy pullPolicy|v1.Protocol protocol|v1.DNSPolicy dnsPolicy|v1.TerminationMessagePolicy terminationMessagePolicy|v1.URIScheme scheme
v1.TaintEffect effect|v1.TolerationOperator Toleration.operator|v1.NodeSelectorOperator NodeSelectorRequirement.operator|v1.LabelSelectorOperator LabelSelectorRequirement.operator
v1.UnsatisfiableConstraintAction whenUnsatisfiable|v1.NodeInclusionPolicy nodeAffinityPolicy nodeTaintsPolicy|v1.StorageMedium medium|v1.HostPathType HostPathVolumeSource.type
v1.MountPropagationMode mountPropagation|v1.RecursiveReadOnlyMode recursiveReadOnly|v1.SeccompProfileType SeccompProfile.type|v1.AppArmorProfileType AppArmorProfile.type
v1.ProcMountType procMount|v1.PodFSGroupChangePolicy fsGroupChangePolicy|v1.SupplementalGroupsPolicy supplementalGroupsPolicy|v1.PodSELinuxChangePolicy seLinuxChangePolicy
v1.Capability Capabilities.add Capabilities.drop|v1.PreemptionPolicy preemptionPolicy|v1.PodConditionType conditionType PodFailurePolicyOnPodConditionsPattern.type PodCondition.type
v1.OSName PodOS.name|v1.Signal stopSignal|v1.ContainerRestartRuleAction ContainerRestartRule.action|v1.ContainerRestartRuleOnExitCodesOperator ContainerRestartRuleOnExitCodes.operator
v1.PersistentVolumeAccessMode accessModes|v1.PersistentVolumeMode volumeMode|v1.PersistentVolumeReclaimPolicy persistentVolumeReclaimPolicy reclaimPolicy|v1.VolumeBindingMode volumeBindingMode
v1.ServiceType ServiceSpec.type|v1.ServiceAffinity sessionAffinity|v1.IPFamily ipFamilies|v1.IPFamilyPolicy ipFamilyPolicy|v1.ServiceInternalTrafficPolicy internalTrafficPolicy
v1.ServiceExternalTrafficPolicy externalTrafficPolicy|types.UID uid|v1.SecretType Secret.type|v1.DeploymentStrategyType DeploymentStrategy.type|v1.StatefulSetUpdateStrategyType StatefulSetUpdateStrategy.type
v1.DaemonSetUpdateStrategyType DaemonSetUpdateStrategy.type|v1.PodManagementPolicyType podManagementPolicy|v1.PersistentVolumeClaimRetentionPolicyType whenDeleted whenScaled
v1.ConcurrencyPolicy concurrencyPolicy|v1.CompletionMode completionMode|v1.PodReplacementPolicy podReplacementPolicy|v1.PodFailurePolicyAction PodFailurePolicyRule.action
v1.PodFailurePolicyOnExitCodesOperator PodFailurePolicyOnExitCodesRequirement.operator|v1.ConditionStatus PodFailurePolicyOnPodConditionsPattern.status PodCondition.status NodeCondition.status
v1.AddressType addressType|v1.NodeAddressType NodeAddress.type|v1.PolicyType policyTypes|v1.PathType pathType|v1.LimitType LimitRangeItem.type|v1.ResourceQuotaScope scopes scopeName
v1.ScopeSelectorOperator ScopedResourceSelectorRequirement.operator|v2.MetricSourceType MetricSpec.type|v2.MetricTargetType MetricTarget.type|v2.ScalingPolicySelect selectPolicy
v2.HPAScalingPolicyType HPAScalingPolicy.type|v1.UnhealthyPodEvictionPolicyType unhealthyPodEvictionPolicy|v1.FinalizerName NamespaceSpec.finalizers|v1.CoordinatedLeaseStrategy LeaseSpec.strategy
v1.ManagedFieldsOperationType ManagedFieldsEntry.operation|v1.PodPhase PodStatus.phase|v1.PodQOSClass qosClass|v1.NamespacePhase NamespaceStatus.phase`;

const typeOfString = new Map<string, string>();
for (const row of stringTypes.split(/[|\n]/)) {
  const [type, ...fields] = row.split(' ');
  for (const field of fields) typeOfString.set(field, type as string);
}

/** Structs that Go embeds: their fields stand in the outer object, but the errors name the embedded struct. */
const embeds: Readonly<Record<string, [struct: string, exceptOrOnly: string]>> = {
  Volume: ['VolumeSource', '!name'],
  Probe: ['ProbeHandler', 'exec httpGet tcpSocket grpc'],
  PersistentVolumeSpec: ['PersistentVolumeSource', '!capacity accessModes claimRef persistentVolumeReclaimPolicy storageClassName mountOptions volumeMode nodeAffinity volumeAttributesClassName'],
  IngressRule: ['IngressRuleValue', 'http'],
  EphemeralContainer: ['EphemeralContainerCommon', '!targetContainerName'],
  ...Object.fromEntries(
    ['ConfigMapEnvSource', 'SecretEnvSource', 'ConfigMapKeySelector', 'SecretKeySelector', 'ConfigMapVolumeSource', 'ConfigMapProjection', 'SecretProjection']
      .map((name) => [name, ['LocalObjectReference', 'name']]),
  ),
};

/** The embedded struct that really holds this field of an outer one. */
export function embeddedHolder(struct: string, field: string): string | undefined {
  const row = embeds[struct];
  if (row === undefined) return undefined;
  const except = row[1].startsWith('!');
  return row[1].replace('!', '').split(' ').includes(field) === except ? undefined : row[0];
}

const scalarTypes: Readonly<Record<string, string>> = { i: 'int32', l: 'int64', n: 'float64', b: 'bool', y: '[]uint8', x: 'int32', t: 'string', u: 'string', q: 'resource.Quantity' };
const renamed: Readonly<Record<string, string>> = { DiscoveryEndpointPort: 'EndpointPort', EventsEvent: 'Event', EventsEventSeries: 'EventSeries' };

/** Struct names as Go has them. */
export const goStruct = (struct: string): string => renamed[struct] ?? struct;

const autoscaling = /^(HPA|Metric|Horizontal|CrossVersion|External|Pods?Metric|ObjectMetric|ResourceMetric|ContainerResourceMetric)/;

export function goElementType(struct: string, name: string, field: Field): string {
  if (field.type === 's') return typeOfString.get(`${struct}.${name}`) ?? typeOfString.get(name) ?? 'string';
  if (fieldsOf(field.type) !== undefined) return `${autoscaling.test(field.type) ? 'v2' : 'v1'}.${goStruct(field.type)}`;
  return scalarTypes[field.type] ?? field.type;
}

export function goFieldType(struct: string, name: string, field: Field): string {
  if (field.shape === 'map') return field.type === 'q' ? 'v1.ResourceList' : `map[string]${goElementType(struct, name, field)}`;
  return (field.shape === 'list' ? '[]' : '') + goElementType(struct, name, field);
}

/** For the editor: is there such a struct and field at all. */
export const hasField = (struct: string, name: string): boolean => fieldsOf(struct)?.has(name) ?? false;
