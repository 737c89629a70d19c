/**
 * How the server's inner types print in its errors: every field in its order, capitalised, with Go's zero values. After the answers of a
 * v1.37.2 server. A struct's row: its fields, each with a mark: '$' text, '#' number, '!' flag, 'q' quantity, '*' null when absent, '.T' a struct,
 * '*T' a struct or null, '[]T' a list or null, '+T' the fields of an embedded struct. Lists and maps of plain values are '*'.
 */
const layouts: Readonly<Record<string, string>> = {
  PodTemplateSpec: '+ObjectMeta Spec.PodSpec',
  PodSpec: 'Volumes[]Volume InitContainers[]Container Containers[]Container EphemeralContainers[]EphemeralContainer RestartPolicy$ TerminationGracePeriodSeconds* ActiveDeadlineSeconds* DNSPolicy$ NodeSelector* ServiceAccountName$ DeprecatedServiceAccount$ AutomountServiceAccountToken* NodeName$ HostNetwork! HostPID! HostIPC! ShareProcessNamespace* SecurityContext*PodSecurityContext ImagePullSecrets[]Reference Hostname$ Subdomain$ Affinity*Affinity SchedulerName$ Tolerations[]Toleration HostAliases[]HostAlias PriorityClassName$ Priority* DNSConfig*PodDNSConfig ReadinessGates[]PodReadinessGate RuntimeClassName* EnableServiceLinks* PreemptionPolicy* Overhead* TopologySpreadConstraints[]TopologySpreadConstraint SetHostnameAsFQDN* OS*PodOS HostUsers* SchedulingGates[]Reference ResourceClaims[]PodResourceClaim Resources*ResourceRequirements HostnameOverride* SchedulingGroup*PodSchedulingGroup EvictionResponders*',
  Reference: 'Name$', PodOS: 'Name$', PodSchedulingGroup: 'PodGroupName*', PodReadinessGate: 'ConditionType$', HostAlias: 'IP$ Hostnames*',
  PodResourceClaim: 'Name$ ResourceClaimName* ResourceClaimTemplateName*',
  Toleration: 'Key$ Operator$ Value$ Effect$ TolerationSeconds*',
  PodDNSConfig: 'Nameservers* Searches* Options[]PodDNSConfigOption', PodDNSConfigOption: 'Name$ Value*',
  TopologySpreadConstraint: 'MaxSkew# TopologyKey$ WhenUnsatisfiable$ LabelSelector* MinDomains* NodeAffinityPolicy* NodeTaintsPolicy* MatchLabelKeys*',
  PodSecurityContext: 'SELinuxOptions*SELinuxOptions WindowsOptions*Windows RunAsUser* RunAsGroup* RunAsNonRoot* SupplementalGroups* SupplementalGroupsPolicy* FSGroup* Sysctls[]Sysctl FSGroupChangePolicy* SeccompProfile*Profile AppArmorProfile*Profile SELinuxChangePolicy*',
  SELinuxOptions: 'User$ Role$ Type$ Level$', Windows: 'GMSACredentialSpecName* GMSACredentialSpec* RunAsUserName* HostProcess*', Sysctl: 'Name$ Value$', Profile: 'Type$ LocalhostProfile*',
  SecurityContext: 'Capabilities*Capabilities Privileged* SELinuxOptions*SELinuxOptions WindowsOptions*Windows RunAsUser* RunAsGroup* RunAsNonRoot* ReadOnlyRootFilesystem* AllowPrivilegeEscalation* ProcMount* SeccompProfile*Profile AppArmorProfile*Profile',
  Capabilities: 'Add* Drop*',
  Container: 'Name$ Image$ Command* Args* WorkingDir$ Ports[]ContainerPort EnvFrom[]EnvFromSource Env[]EnvVar Resources.ResourceRequirements ResizePolicy[]ContainerResizePolicy RestartPolicy* RestartPolicyRules[]ContainerRestartRule VolumeMounts[]VolumeMount VolumeDevices[]VolumeDevice LivenessProbe*Probe ReadinessProbe*Probe StartupProbe*Probe Lifecycle*Lifecycle TerminationMessagePath$ TerminationMessagePolicy$ ImagePullPolicy$ SecurityContext*SecurityContext Stdin! StdinOnce! TTY!',
  EphemeralContainer: '+Container TargetContainerName$',
  ContainerPort: 'Name$ HostPort# ContainerPort# Protocol$ HostIP$',
  EnvFromSource: 'Prefix$ ConfigMapRef*OptionalReference SecretRef*OptionalReference', OptionalReference: 'Name$ Optional*',
  EnvVar: 'Name$ Value$ ValueFrom*EnvVarSource',
  EnvVarSource: 'FieldRef*ObjectFieldSelector ResourceFieldRef*ResourceFieldSelector ConfigMapKeyRef*KeySelector SecretKeyRef*KeySelector FileKeyRef*FileKeySelector',
  ObjectFieldSelector: 'APIVersion$ FieldPath$', ResourceFieldSelector: 'ContainerName$ Resource$ Divisorq', KeySelector: 'Name$ Key$ Optional*', FileKeySelector: 'VolumeName$ Path$ Key$ Optional*',
  ResourceRequirements: 'Limits* Requests* Claims[]ResourceClaim', ResourceClaim: 'Name$ Request$',
  ContainerResizePolicy: 'ResourceName$ RestartPolicy$',
  ContainerRestartRule: 'Action$ ExitCodes*ExitCodes', ExitCodes: 'Operator$ Values*',
  VolumeMount: 'Name$ ReadOnly! RecursiveReadOnly* MountPath$ SubPath$ MountPropagation* SubPathExpr$ BindMountOptions*', VolumeDevice: 'Name$ DevicePath$',
  Probe: '+Handler InitialDelaySeconds# TimeoutSeconds# PeriodSeconds# SuccessThreshold# FailureThreshold# TerminationGracePeriodSeconds*',
  Handler: 'Exec*ExecAction HTTPGet*HTTPGetAction TCPSocket*TCPSocketAction GRPC*GRPCAction',
  ExecAction: 'Command*', HTTPGetAction: 'Path$ Port# Host$ Scheme$ HTTPHeaders[]Sysctl Protocol*', TCPSocketAction: 'Port# Host$', GRPCAction: 'Port# Service* Mode*',
  Lifecycle: 'PostStart*LifecycleHandler PreStop*LifecycleHandler StopSignal*', LifecycleHandler: 'Exec*ExecAction HTTPGet*HTTPGetAction TCPSocket*TCPSocketAction Sleep*SleepAction', SleepAction: 'Seconds#',
  Affinity: 'NodeAffinity*NodeAffinity PodAffinity*PodAffinity PodAntiAffinity*PodAffinity',
  NodeAffinity: 'RequiredDuringSchedulingIgnoredDuringExecution*NodeSelector PreferredDuringSchedulingIgnoredDuringExecution[]PreferredSchedulingTerm',
  NodeSelector: 'NodeSelectorTerms[]NodeSelectorTerm', NodeSelectorTerm: 'MatchExpressions[]Expression MatchFields[]Expression', Expression: 'Key$ Operator$ Values*',
  PreferredSchedulingTerm: 'Weight# Preference.NodeSelectorTerm',
  PodAffinity: 'RequiredDuringSchedulingIgnoredDuringExecution[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution[]WeightedPodAffinityTerm',
  WeightedPodAffinityTerm: 'Weight# PodAffinityTerm.PodAffinityTerm', PodAffinityTerm: 'LabelSelector* Namespaces* TopologyKey$ NamespaceSelector* MatchLabelKeys* MismatchLabelKeys*',
  VolumeNodeAffinity: 'Required*NodeSelector',
  Volume: 'Name$ +VolumeSource',
  VolumeSource: 'HostPath*HostPath EmptyDir*EmptyDir GCEPersistentDisk* AWSElasticBlockStore* GitRepo* Secret*SecretVolume NFS*NFS ISCSI* Glusterfs* PersistentVolumeClaim*ClaimSource RBD* FlexVolume* Cinder* CephFS* Flocker* DownwardAPI*DownwardVolume FC* AzureFile* ConfigMap*ConfigMapVolume VsphereVolume* Quobyte* AzureDisk* PhotonPersistentDisk* Projected*Projected PortworxVolume* ScaleIO* StorageOS* CSI*CSI Ephemeral*Ephemeral Image*Image',
  HostPath: 'Path$ Type*', EmptyDir: 'Medium$ SizeLimit* Mode*', NFS: 'Server$ Path$ ReadOnly!', ClaimSource: 'ClaimName$ ReadOnly!', Image: 'Reference$ PullPolicy$',
  SecretVolume: 'SecretName$ Items[]KeyToPath DefaultMode* Optional* DefaultUser*', ConfigMapVolume: 'Name$ Items[]KeyToPath DefaultMode* Optional* DefaultUser*', KeyToPath: 'Key$ Path$ Mode* User*',
  DownwardVolume: 'Items[]DownwardFile DefaultMode* DefaultUser*', DownwardFile: 'Path$ FieldRef*ObjectFieldSelector ResourceFieldRef*ResourceFieldSelector Mode* User*',
  Projected: 'Sources[]Projection DefaultMode* DefaultUser*',
  Projection: 'Secret*KeysProjection DownwardAPI*DownwardProjection ConfigMap*KeysProjection ServiceAccountToken*TokenProjection ClusterTrustBundle*TrustProjection PodCertificate*',
  KeysProjection: 'Name$ Items[]KeyToPath Optional*', DownwardProjection: 'Items[]DownwardFile', TokenProjection: 'Audience$ ExpirationSeconds# Path$ User*',
  TrustProjection: 'Name* SignerName* LabelSelector* Optional* Path$ User*',
  CSI: 'Driver$ ReadOnly* FSType* VolumeAttributes* NodePublishSecretRef*Reference', Ephemeral: 'VolumeClaimTemplate*ClaimTemplate', ClaimTemplate: '+ObjectMeta Spec.PersistentVolumeClaimSpec',
  PersistentVolumeClaim: '+ObjectMeta Spec.PersistentVolumeClaimSpec Status.PersistentVolumeClaimStatus',
  PersistentVolumeClaimSpec: 'AccessModes* Selector* Resources.ClaimResources VolumeName$ StorageClassName* VolumeMode* DataSource*TypedReference DataSourceRef*TypedReferenceInNamespace VolumeAttributesClassName*',
  ClaimResources: 'Limits* Requests*', TypedReference: 'APIGroup* Kind$ Name$', TypedReferenceInNamespace: 'APIGroup* Kind$ Name$ Namespace*',
  PersistentVolumeSource: 'GCEPersistentDisk* AWSElasticBlockStore* HostPath*HostPath Glusterfs* NFS*NFS RBD* Quobyte* ISCSI* FlexVolume* Cinder* CephFS* FC* Flocker* AzureFile* VsphereVolume* AzureDisk* PhotonPersistentDisk* PortworxVolume* ScaleIO* Local*Local StorageOS* CSI*PersistentCSI',
  Local: 'Path$ FSType*',
  PersistentCSI: 'Driver$ VolumeHandle$ ReadOnly! FSType$ VolumeAttributes* ControllerPublishSecretRef* NodeStageSecretRef* NodePublishSecretRef* ControllerExpandSecretRef* NodeExpandSecretRef*',
  PodFailurePolicy: 'Rules[]FailureRule', FailureRule: 'Action$ OnExitCodes*OnExitCodes OnPodConditions[]ConditionPattern', OnExitCodes: 'ContainerName* Operator$ Values*', ConditionPattern: 'Type$ Status$',
  SuccessPolicy: 'Rules[]SuccessRule', SuccessRule: 'SucceededIndexes* SucceededCount*',
  PersistentVolumeClaimStatus: 'Phase$ AccessModes* Capacity* Conditions* AllocatedResources* AllocatedResourceStatuses* CurrentVolumeAttributesClassName* ModifyVolumeStatus* HealthStatus*',
};

const renamed: Readonly<Record<string, string>> = { DeprecatedServiceAccount: 'serviceAccount', CephFS: 'cephfs', StorageOS: 'storageos' };

/** 'HTTPGet' is httpGet, 'TTY' is tty, 'DNSPolicy' is dnsPolicy. */
const jsonName = (field: string): string =>
  renamed[field] ?? field.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (run) => run.toLowerCase());

const zeros: Readonly<Record<string, unknown>> = { $: '', '#': 0, '!': false, q: '0', '*': null };

type Plain = Record<string, unknown>;

const sorted = (map: Plain): Plain => Object.fromEntries(Object.keys(map).sort((a, b) => (a < b ? -1 : 1)).map((key) => [key, map[key]]));

/** Plain values and the API's own types (selectors, times) as they are; maps in the order of their keys. */
const asIs = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((item) => typeof item === 'string') ? sorted(value as Plain) : value;

/** A value of the API as its inner struct prints. */
export function innerForm(struct: string, value: object | undefined): Record<string, unknown> {
  const source = (value ?? {}) as Plain;
  const result: Plain = {};
  for (const part of (layouts[struct] ?? '').split(' ')) {
    if (part === '+ObjectMeta') Object.assign(result, source.metadata);
    else if (part.startsWith('+')) Object.assign(result, innerForm(part.slice(1), source));
    else {
      const [, name = '', mark = '', inner = ''] = /^(\w+?)(\$|#|!|q|\*|\.|\[\])(\w*)$/.exec(part) ?? [];
      const given = source[jsonName(name)];
      if (mark === '.') result[name] = innerForm(inner, given as object | undefined);
      else if (given === undefined || given === null) result[name] = zeros[mark] ?? null;
      else if (mark === '[]') result[name] = (given as object[]).map((item) => innerForm(inner, item));
      else result[name] = inner === '' ? asIs(given) : innerForm(inner, given as object);
    }
  }
  return result;
}
