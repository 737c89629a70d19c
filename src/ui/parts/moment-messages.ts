const en = {
  'ready-flips': '{type}: {before} to {after}', 'ready-first': '{type}: {after}', 'container-running': '{container} started', 'container-waiting': '{container} waits: {reason}', 'container-ended': '{container} ended: {reason}',
  'exit-code': 'exit code {code}', 'exit-signal': 'exit code {code}, {signal}', 'restart-n': 'restart {count}', 'back-off-until': 'next try at {at}', gone: 'deleted', 'pod-gone': 'no longer in the API', 'pod-status': '{status}',
  'ready-count': '{ready} of {total} ready', 'phase-is': 'phase {phase}', 'probe-failed': '{probe} failed', 'probe-passed': '{probe} passed', 'probe-timeout': '{probe} timed out', 'probe-unknown': '{probe}: no answer',
  'n-of-m': '{n} of {m}', 'node-ready': 'Node Ready: {after}', signal: '{signal} to {container}', hook: '{hook} of {container}', 'signal-kill-at': 'SIGKILL at {at} if it stays', 'you-did': 'your input', 'event-count': '{count} times',
  startup: 'Startup', liveness: 'Liveness', readiness: 'Readiness', image: 'image {image}', 'not-ready-yet': 'not ready yet', 'now-ready': '{container} is ready', 'now-not-ready': '{container} is not ready',
};

const zh: Record<keyof typeof en, string> = {
  'ready-flips': '{type}：{before} 变为 {after}', 'ready-first': '{type}：{after}', 'container-running': '{container} 已启动', 'container-waiting': '{container} 等待：{reason}', 'container-ended': '{container} 结束：{reason}',
  'exit-code': '退出码 {code}', 'exit-signal': '退出码 {code}，{signal}', 'restart-n': '第 {count} 次重启', 'back-off-until': '{at} 再次尝试', gone: '已删除', 'pod-gone': '已不在 API 中', 'pod-status': '{status}',
  'ready-count': '{ready}/{total} 就绪', 'phase-is': 'phase {phase}', 'probe-failed': '{probe}失败', 'probe-passed': '{probe}成功', 'probe-timeout': '{probe}超时', 'probe-unknown': '{probe}：无应答',
  'n-of-m': '{n}/{m}', 'node-ready': '节点 Ready：{after}', signal: '向 {container} 发送 {signal}', hook: '{container} 的 {hook}', 'signal-kill-at': '若仍未结束，{at} 发送 SIGKILL', 'you-did': '你的操作', 'event-count': '{count} 次',
  startup: '启动探针', liveness: '存活探针', readiness: '就绪探针', image: '镜像 {image}', 'not-ready-yet': '尚未就绪', 'now-ready': '{container} 已就绪', 'now-not-ready': '{container} 未就绪',
};

export const messages = { en, zh };
export type MomentMessage = keyof typeof en;
