const en = {
  title: 'Inspector', close: 'Clear the selection', expand: 'Full screen', shrink: 'Leave full screen', 'nothing-title': 'Nothing selected', 'nothing-text': 'Choose a pod, a node or a Service on the map or the time line.',
  summary: 'phase {phase}, {ready} ready, {restarts}', 'restarts-one': '1 restart', restarts: '{count} restarts', gone: 'Deleted', 'not-yet': 'Not there yet', 'exists-from': 'exists from {from}', 'gone-at': 'deleted at {at}', tabs: 'Details',
  status: 'Status', events: 'Events', logs: 'Logs', yaml: 'YAML', describe: 'Describe',
  conditions: 'Conditions', containers: 'Containers', since: 'since', sandbox: 'sandbox', init: 'init', sidecar: 'sidecar', app: 'app', ephemeral: 'ephemeral', probes: 'Probes of {container}', 'last-and-next': 'last results, next due',
  restarted: '{count} restarts', 'retry-in': 'retry in {left}', image: 'Image', 'exit-was': 'exit {code}', 'last-state': 'last: {reason}, exit {code}', 'last-state-signal': 'last: {reason}, exit {code}, {signal}',
  every: 'every {period}', 'tries-n': '{count} tries', 'fails-restart': '{count} fails restart', 'fails-withdraw': '{count} fails withdraw', 'after-delay': 'after {delay}', tcp: 'TCP {port}', grpc: 'gRPC {port}', exec: '{command}',
  'due-in': 'in {left}', passed: 'passed', 'waits-startup': 'after startup', 'not-running': 'not running', 'no-result': 'no result yet', details: 'Details', 'pod-ip': 'Pod IP', node: 'Node', qos: 'QoS class', 'service-account': 'Service account', owner: 'Controlled by', grace: 'Grace period', 'grace-left': 'grace ends in {left}', policy: 'Restart policy',
  'select-container': 'Container', previous: 'previous run', 'no-logs': 'No lines', 'no-logs-text': 'This container has written nothing up to here.', 'no-previous': 'This container has not been restarted.',
  why: 'Why?', ago: '{length} ago', 'at-moment': 'this moment', 'no-why': 'Nothing has happened to it yet.', input: 'your input', 'jump-to': 'Go to {at}',
  'node-ready': 'Ready', 'node-not-ready': 'NotReady', 'node-unknown': 'Unknown', cpu: 'cpu', memory: 'memory', requested: 'requested', pods: 'Pods', taints: 'Taints', 'no-taints': 'none', cordoned: 'cordoned', 'kubelet-silent': 'The kubelet is silent.', pressure: 'Pressure', capacity: 'Requests', 'pods-here': 'Pods here', none: 'none',
  'service-ready': '{ready} of {total} endpoints ready', 'no-endpoints': 'No endpoints', endpoints: 'Endpoints', 'cluster-ip': 'Cluster IP', ports: 'Ports', 'type': 'Type', serving: 'serving', 'not-serving': 'not serving', ending: 'ending',
  'workload-summary': '{ready} of {desired} ready', desired: 'Desired', current: 'Current', updated: 'Up to date', available: 'Available', revision: 'Revision',
};

const zh: Record<keyof typeof en, string> = {
  title: '详情', close: '取消选择', expand: '全屏', shrink: '退出全屏', 'nothing-title': '没有选中对象', 'nothing-text': '在集群图或时间线上选择一个 Pod、节点或 Service。',
  summary: 'phase {phase}，{ready} 就绪，{restarts}', 'restarts-one': '重启 1 次', restarts: '重启 {count} 次', gone: '已删除', 'not-yet': '尚未出现', 'exists-from': '自 {from} 起存在', 'gone-at': '{at} 删除', tabs: '详情',
  status: '状态', events: '事件', logs: '日志', yaml: 'YAML', describe: 'Describe',
  conditions: '状况', containers: '容器', since: '起始', sandbox: '沙箱', init: 'init', sidecar: 'sidecar', app: 'app', ephemeral: '临时', probes: '{container} 的探针', 'last-and-next': '最近结果，下次',
  restarted: '重启 {count} 次', 'retry-in': '{left} 后重试', image: '镜像', 'exit-was': '退出码 {code}', 'last-state': '上次：{reason}，退出码 {code}', 'last-state-signal': '上次：{reason}，退出码 {code}，{signal}',
  every: '每 {period}', 'tries-n': '允许失败 {count} 次', 'fails-restart': '{count} 次失败重启', 'fails-withdraw': '{count} 次失败撤下', 'after-delay': '延迟 {delay}', tcp: 'TCP {port}', grpc: 'gRPC {port}', exec: '{command}',
  'due-in': '{left} 后', passed: '已通过', 'waits-startup': '等待启动探针', 'not-running': '未运行', 'no-result': '尚无结果', details: '详细', 'pod-ip': 'Pod IP', node: '节点', qos: 'QoS 类', 'service-account': '服务账号', owner: '控制者', grace: '宽限期', 'grace-left': '宽限期还剩 {left}', policy: '重启策略',
  'select-container': '容器', previous: '上一次运行', 'no-logs': '没有日志', 'no-logs-text': '到此刻为止，该容器没有输出。', 'no-previous': '该容器没有重启过。',
  why: '为什么？', ago: '{length} 前', 'at-moment': '此刻', 'no-why': '它还没有发生过任何变化。', input: '你的操作', 'jump-to': '跳到 {at}',
  'node-ready': 'Ready', 'node-not-ready': 'NotReady', 'node-unknown': 'Unknown', cpu: 'cpu', memory: '内存', requested: '已请求', pods: 'Pod', taints: '污点', 'no-taints': '无', cordoned: '已禁止调度', 'kubelet-silent': 'kubelet 没有应答。', pressure: '压力', capacity: '请求量', 'pods-here': '此节点上的 Pod', none: '无',
  'service-ready': '{ready} / {total} 个端点就绪', 'no-endpoints': '没有端点', endpoints: '端点', 'cluster-ip': 'Cluster IP', ports: '端口', 'type': '类型', serving: '提供服务', 'not-serving': '不提供服务', ending: '终止中',
  'workload-summary': '{ready} / {desired} 就绪', desired: '期望', current: '当前', updated: '已更新', available: '可用', revision: '修订版本',
};

export const messages = { en, zh };
export type InspectorMessage = keyof typeof en;
