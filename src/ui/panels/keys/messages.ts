const en = {
  title: 'Keys', close: 'Close', global: 'Single letters act everywhere', 'global-text': 'Otherwise they act while the time line, the map or the inspector has the focus.',
  playback: 'Time', view: 'View', timeline: 'Time line', editor: 'Editor',
  play: 'Play or pause', 'next-selected': 'Next, previous moment of the selection', 'next-transition': 'Next, previous change of state', step: 'Step forward, back', ends: 'Start, newest moment', slower: 'Slower, faster', tracks: 'Choose a track', zoom: 'Zoom', pan: 'Move', centre: 'Centre the playhead; twice: fit the selection', 'fit-all': 'Show all', 'zoom-back': 'Zoom back', pin: 'Pin a track',
  tabs: 'Logs, YAML, describe, events of the selection', palette: 'Search and commands', faults: 'Faults of the selection', filter: 'Filter the pods', drawer: 'Drawer', full: 'Panel full screen', present: 'Present', panel: 'Next, previous panel', help: 'This list', escape: 'Close, clear the selection', apply: 'Apply the manifest', 'tab-moves': 'Tab moves the focus', format: 'Format', complete: 'Suggest', fix: 'Repairs',
};

const zh: Record<keyof typeof en, string> = {
  title: '键盘', close: '关闭', global: '单字母键处处有效', 'global-text': '否则仅当时间线、集群图或详情面板有焦点时有效。',
  playback: '时间', view: '界面', timeline: '时间线', editor: '编辑器',
  play: '播放或暂停', 'next-selected': '选中对象的后一个、前一个时刻', 'next-transition': '后一次、前一次状态变化', step: '前进、后退一步', ends: '开头、最新时刻', slower: '减慢、加快', tracks: '选择轨道', zoom: '缩放', pan: '移动', centre: '播放头居中；连按两次适应选中对象', 'fit-all': '显示全部', 'zoom-back': '返回上次缩放', pin: '置顶轨道',
  tabs: '选中对象的日志、YAML、describe、事件', palette: '搜索与命令', faults: '对选中对象制造故障', filter: '筛选 Pod', drawer: '抽屉', full: '面板全屏', present: '演示', panel: '后一个、前一个面板', help: '本列表', escape: '关闭，取消选择', apply: '应用清单', 'tab-moves': 'Tab 移动焦点', format: '格式化', complete: '补全', fix: '修复',
};

export const messages = { en, zh };
