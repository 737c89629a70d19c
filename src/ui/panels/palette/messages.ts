const en = {
  title: 'Search or run a command', placeholder: 'Search or run a command', results: '{count} results', 'one-result': '1 result', objects: 'Objects', moments: 'Moments', commands: 'Commands', examples: 'Examples', nothing: 'Nothing matches', move: 'move', open: 'open', close: 'close',
  play: 'Play or pause', start: 'To the start', end: 'To the newest moment', live: 'Go live', theme: 'Light or dark', language: '切换到中文', share: 'Share', present: 'Present', keys: 'Keys', apply: 'Apply the manifest', drawer: 'Show or hide the drawer', events: 'Events of everything', 'start-over': 'Start over with the manifest', fit: 'Show the whole run', 'skip-idle': 'Skip idle time', kubectl: 'Run {line}', 'kubectl-sub': 'at the playhead',
};

const zh: Record<keyof typeof en, string> = {
  title: '搜索或执行命令', placeholder: '搜索或执行命令', results: '{count} 个结果', 'one-result': '1 个结果', objects: '对象', moments: '时刻', commands: '命令', examples: '示例', nothing: '没有匹配项', move: '移动', open: '打开', close: '关闭',
  play: '播放或暂停', start: '到开头', end: '到最新时刻', live: '跟随最新', theme: '浅色或深色', language: 'Switch to English', share: '分享', present: '演示', keys: '键盘', apply: '应用清单', drawer: '打开或收起抽屉', events: '全部事件', 'start-over': '清单恢复原样', fit: '显示全程', 'skip-idle': '跳过空闲', kubectl: '执行 {line}', 'kubectl-sub': '在播放头时刻',
};

export const messages = { en, zh };
