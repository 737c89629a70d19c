const en = {
  title: 'Drawer', lanes: 'Lanes', terminal: 'Terminal', events: 'Events', describe: 'Describe', show: 'Show drawer', hide: 'Hide drawer',
  'nothing-title': 'Nothing selected', 'nothing-text': 'Choose a pod, a node or a Service.', 'only-selected': 'only the selected pod', warnings: 'only warnings',
};

const zh: Record<keyof typeof en, string> = {
  title: '抽屉', lanes: '组件泳道', terminal: '终端', events: '事件', describe: 'Describe', show: '打开抽屉', hide: '收起抽屉',
  'nothing-title': '没有选中对象', 'nothing-text': '请选择一个 Pod、节点或 Service。', 'only-selected': '只看选中的 Pod', warnings: '只看警告',
};

export const messages = { en, zh };
