const en = {
  title: 'Presenter', step: 'step {step} of {steps}', end: 'End presenting', full: 'Full screen', start: 'To the start', back: 'Step back', play: 'Play', pause: 'Pause', forward: 'Step forward', 'next-step': 'next step', 'in-state': 'in this state', restarts: 'restarts', 'failed-requests': 'requests failed so far', 'ready-pods': 'pods ready', legend: 'Legend',
  ready: 'ready', 'not-ready': 'not ready', starting: 'starting', pending: 'pending', 'back-off': 'back-off', failed: 'failed', succeeded: 'completed', terminating: 'terminating', unknown: 'unknown', startup: 'startup', liveness: 'liveness', readiness: 'readiness', 'probe-failed': 'failed', 'request-failed': 'request failed', nothing: 'Choose a pod.',
};

const zh: Record<keyof typeof en, string> = {
  title: '演示', step: '步骤 {step} / {steps}', end: '结束演示', full: '全屏', start: '到开头', back: '后退一步', play: '播放', pause: '暂停', forward: '前进一步', 'next-step': '下一步', 'in-state': '处于此状态', restarts: '次重启', 'failed-requests': '个请求至今失败', 'ready-pods': '个 Pod 就绪', legend: '图例',
  ready: '就绪', 'not-ready': '未就绪', starting: '启动中', pending: '悬决', 'back-off': '回退', failed: '失败', succeeded: '完成', terminating: '正在终止', unknown: '未知', startup: '启动探针', liveness: '存活探针', readiness: '就绪探针', 'probe-failed': '失败', 'request-failed': '请求失败', nothing: '选择一个 Pod。',
};

export const messages = { en, zh };
