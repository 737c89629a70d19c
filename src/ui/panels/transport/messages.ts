const en = {
  transport: 'Playback', start: 'To the start', 'step-back': 'Step back', play: 'Play', pause: 'Pause', 'step-forward': 'Step forward', end: 'To the newest moment', wall: 'wall {time}', step: 'step {step}', of: '/ {steps}',
  speed: 'Speed', 'skip-idle': 'skip idle time', live: 'Go live', branch: 'Branch', main: 'main', 'zoom-in': 'Zoom in', 'zoom-out': 'Zoom out', fit: 'Show the whole run', 'branch-n': '{name} from {at}', 'more-inputs': '{count} inputs',
};

const zh: Record<keyof typeof en, string> = {
  transport: '播放', start: '到开头', 'step-back': '后退一步', play: '播放', pause: '暂停', 'step-forward': '前进一步', end: '到最新时刻', wall: '时刻 {time}', step: '步骤 {step}', of: '/ {steps}',
  speed: '速度', 'skip-idle': '跳过空闲', live: '跟随最新', branch: '分支', main: '主线', 'zoom-in': '放大', 'zoom-out': '缩小', fit: '显示全程', 'branch-n': '{name}，自 {at}', 'more-inputs': '{count} 次操作',
};

export const messages = { en, zh };
