const en = {
  tabs: 'Panels', cluster: 'Cluster', time: 'Time', yaml: 'YAML', more: 'More', menu: 'More', examples: 'Examples', share: 'Share', theme: 'Light or dark', language: 'Language', keys: 'Keys', speed: 'Speed', play: 'Play', pause: 'Pause', back: 'Step back', forward: 'Step forward', why: 'Why?', 'nothing-title': 'Nothing yet', 'nothing-text': 'Press play: a pod comes to life.',
  'pending-queue': 'Pending queue', 'endpoints-ready': '{ready} of {total} endpoints ready', 'replicas-ready': '{ready} of {total} replicas ready', ready: 'Ready', 'not-ready': 'NotReady', cpu: 'cpu', memory: 'mem', 'one-probe-passed': '1 probe passed', 'probes-passed': '{count} probes passed', to: 'to {at}', 'no-pods': 'No pods yet', 'details-of': 'Details of {name}', 'moments-of': 'Moments of {name}', 'all-moments': 'All moments', 'nothing-selected': 'Nothing selected', 'skip-idle': 'skip idle time', version: 'Kubernetes v1.37, seed {seed}',
};

const zh: Record<keyof typeof en, string> = {
  tabs: '面板', cluster: '集群', time: '时间', yaml: 'YAML', more: '更多', menu: '更多', examples: '示例', share: '分享', theme: '浅色或深色', language: '语言', keys: '键盘', speed: '速度', play: '播放', pause: '暂停', back: '后退一步', forward: '前进一步', why: '为什么？', 'nothing-title': '还没有内容', 'nothing-text': '按播放：一个 Pod 将启动。',
  'pending-queue': '调度队列', 'endpoints-ready': '{ready} / {total} 个端点就绪', 'replicas-ready': '{ready} / {total} 个副本就绪', ready: 'Ready', 'not-ready': 'NotReady', cpu: 'cpu', memory: '内存', 'one-probe-passed': '1 次探针成功', 'probes-passed': '{count} 次探针成功', to: '至 {at}', 'no-pods': '还没有 Pod', 'details-of': '{name} 的详情', 'moments-of': '{name} 的时刻', 'all-moments': '全部时刻', 'nothing-selected': '没有选中对象', 'skip-idle': '跳过空闲', version: 'Kubernetes v1.37，种子 {seed}',
};

export const messages = { en, zh };
