const en = {
  title: 'Search or run a command', placeholder: 'Search or run a command', results: '{count} results', 'one-result': '1 result', objects: 'Objects', moments: 'Moments', commands: 'Commands', examples: 'Examples', faults: 'Faults at the playhead', fault: 'fault', nothing: 'Nothing matches', move: 'move', open: 'open', close: 'close',
  'fault-kill': 'Kill the process of {name} (SIGKILL)', 'fault-exit': 'End the process of {name} with code 1', 'fault-liveness': 'Fail the liveness probe of {name} for 1 minute', 'fault-readiness': 'Fail the readiness probe of {name} for 1 minute', 'fault-sandbox': 'Kill the pause container of {name}',
  'fault-cut': 'Cut the network of {name}', 'fault-join': 'Join the network of {name} again', 'fault-stop': 'Stop the kubelet of {name}', 'fault-start': 'Start the kubelet of {name}',
  play: 'Play or pause', start: 'To the start', end: 'To the newest moment', live: 'Go live', theme: 'Light or dark', language: '切换到中文', share: 'Share', present: 'Present', keys: 'Keys', apply: 'Apply the manifest', drawer: 'Show or hide the drawer', events: 'Events of everything', 'start-over': 'Start over with the manifest', fit: 'Show the whole run', 'skip-idle': 'Skip idle time', kubectl: 'Run {line}', 'kubectl-sub': 'at the playhead',
};

const zh: Record<keyof typeof en, string> = {
  title: '搜索或执行命令', placeholder: '搜索或执行命令', results: '{count} 个结果', 'one-result': '1 个结果', objects: '对象', moments: '时刻', commands: '命令', examples: '示例', faults: '在播放头处制造故障', fault: '故障', nothing: '没有匹配项', move: '移动', open: '打开', close: '关闭',
  'fault-kill': '杀死 {name} 的进程（SIGKILL）', 'fault-exit': '让 {name} 的进程以退出码 1 结束', 'fault-liveness': '让 {name} 的存活探针失败 1 分钟', 'fault-readiness': '让 {name} 的就绪探针失败 1 分钟', 'fault-sandbox': '杀死 {name} 的 pause 容器',
  'fault-cut': '切断 {name} 的网络', 'fault-join': '恢复 {name} 的网络', 'fault-stop': '停止 {name} 的 kubelet', 'fault-start': '启动 {name} 的 kubelet',
  play: '播放或暂停', start: '到开头', end: '到最新时刻', live: '跟随最新', theme: '浅色或深色', language: 'Switch to English', share: '分享', present: '演示', keys: '键盘', apply: '应用清单', drawer: '打开或收起抽屉', events: '全部事件', 'start-over': '清单恢复原样', fit: '显示全程', 'skip-idle': '跳过空闲', kubectl: '执行 {line}', 'kubectl-sub': '在播放头时刻',
};

export const messages = { en, zh };
