const en = {
  examples: 'Examples', custom: 'Your scenario', search: 'Search or run a command', seed: 'seed {seed}', share: 'Share', present: 'Present', 'end-present': 'End presenting', language: 'Language', theme: 'Light or dark',
  'version-hint': 'Behaviour of Kubernetes v1.37. The seed decides every random delay.', 'ends-with': 'ends: {ending}', details: 'Details', bar: 'Kubelapse',
};

const zh: Record<keyof typeof en, string> = {
  examples: '示例', custom: '你的场景', search: '搜索或执行命令', seed: '种子 {seed}', share: '分享', present: '演示', 'end-present': '结束演示', language: '语言', theme: '浅色或深色',
  'version-hint': '行为对应 Kubernetes v1.37。种子决定所有随机延迟。', 'ends-with': '结局：{ending}', details: '详情', bar: 'Kubelapse',
};

export const messages = { en, zh };
