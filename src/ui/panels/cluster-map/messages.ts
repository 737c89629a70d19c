const en = {
  title: 'Cluster', 'pods-nodes': '{pods}, {nodes}', pods: '{count} pods', 'pods-one': '1 pod', queue: 'Pending queue', 'and-more': 'and {count} more', 'nodes-count': '{count} nodes', 'nodes-count-one': '1 node',
  'unschedulable-for': 'Unschedulable for {time}', 'endpoints-ready': 'of {total} endpoints ready', 'no-endpoints': 'no endpoints', rate: '{count} requests/s', 'rate-one': '1 request/s', failing: '{count} failing now',
  cpu: 'cpu', mem: 'mem', 'no-lease': 'No lease for', cordoned: 'cordoned', density: 'Density', full: 'Full', compact: 'Compact', square: 'Squares', auto: 'Automatic', filter: 'Filter', 'filter-label': 'Filter pods by name',
  matches: '{count} of {total} pods match', fit: 'Fit the map', map: 'Cluster map. Arrow keys move between pods, Enter opens one.', 'chip-label': '{name}, {status}, {ready} ready', client: 'client', service: 'Service', node: 'Node',
  'status-ready': 'Running, Ready', 'status-not-ready': 'Running, NotReady', 'status-pending': 'Pending', 'status-terminating': 'Terminating', 'status-failed': 'Error', 'status-completed': 'Completed', 'status-unknown': 'Unknown',
  init: 'init', 'init-of': 'init {done}/{count}',
  'failed-of': 'failed {n} of {m}', 'next-in': 'next in {time}', restarts: '{count} restarts', 'restarts-one': '1 restart', 'exit-ran': 'exit {code}, ran {time}', 'exit-code': 'exit {code}', 'sigterm-sent': '{signal} sent', 'pre-stop-running': 'preStop running',
  'terminating-for': 'for {time}', 'evicted-in': 'evicted in', pulling: 'pulling image {time}', waiting: 'waiting {time}', 'silent-for': 'kubelet silent for {time}', retry: 'next try', 'no-probes': '',
  'no-pods': 'No pods yet', 'no-pods-hint': 'Apply the YAML, or open an example.', pressure: '{type} pressure',
};

export type MapMessage = keyof typeof en;

const zh: Record<MapMessage, string> = {
  title: '集群', 'pods-nodes': '{pods}，{nodes}', pods: '{count} 个 Pod', 'pods-one': '1 个 Pod', queue: '调度队列', 'and-more': '另有 {count} 个', 'nodes-count': '{count} 个节点', 'nodes-count-one': '1 个节点',
  'unschedulable-for': '不可调度，已 {time}', 'endpoints-ready': '/ {total} 个端点就绪', 'no-endpoints': '没有端点', rate: '{count} 请求/s', 'rate-one': '1 请求/s', failing: '当前 {count} 个失败',
  cpu: 'cpu', mem: '内存', 'no-lease': '失去租约', cordoned: '已隔离', density: '密度', full: '完整', compact: '紧凑', square: '方格', auto: '自动', filter: '筛选', 'filter-label': '按名称筛选 Pod',
  matches: '{total} 个 Pod 中有 {count} 个匹配', fit: '适应画面', map: '集群图。方向键在 Pod 之间移动，Enter 打开。', 'chip-label': '{name}，{status}，{ready} 就绪', client: '客户端', service: 'Service', node: '节点',
  'status-ready': '运行中·就绪', 'status-not-ready': '运行中·未就绪', 'status-pending': 'Pending 悬决', 'status-terminating': 'Terminating 正在终止', 'status-failed': 'Error 失败', 'status-completed': 'Completed 成功完成', 'status-unknown': 'Unknown 未知',
  init: 'init', 'init-of': 'init {done}/{count}',
  'failed-of': '失败 {n}/{m}', 'next-in': '{time} 后探测', restarts: '重启 {count} 次', 'restarts-one': '重启 1 次', 'exit-ran': '退出码 {code}，运行 {time}', 'exit-code': '退出码 {code}', 'sigterm-sent': '已发 {signal}', 'pre-stop-running': 'preStop 执行中',
  'terminating-for': '已 {time}', 'evicted-in': '驱逐倒计时', pulling: '拉取镜像 {time}', waiting: '等待 {time}', 'silent-for': 'kubelet 失联 {time}', retry: '下次重试', 'no-probes': '',
  'no-pods': '还没有 Pod', 'no-pods-hint': '应用 YAML，或打开一个示例。', pressure: '{type} 压力',
};

export const messages: Record<'en' | 'zh', Record<MapMessage, string>> = { en, zh };
