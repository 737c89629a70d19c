const en = {
  editor: 'Manifest editor', inspector: 'Inspector', 'resize-editor': 'Width of the editor', 'resize-inspector': 'Width of the inspector', 'resize-timeline': 'Height of the timeline', 'resize-drawer': 'Height of the drawer',
  loading: 'Starting the cluster', 'skip-to-map': 'Skip to the cluster',
  'broken-title': 'The engine stopped', 'broken-text': 'This is a fault of Kubelapse, not of your manifest. Your text is kept.', 'copy-report': 'Copy report', copied: 'Copied', restart: 'Start again',
  'ui-broken-title': 'This page stopped', 'ui-broken-text': 'A fault of Kubelapse. Your text is kept in this browser.', reload: 'Reload',
  'link-title': 'This link is damaged', 'link-version-title': 'This link needs another version', 'link-text-damaged': 'It ends after {length} characters or was changed on the way. Chat programs often cut long links. Ask for the file, or start from an example.',
  'link-text-version': 'It was made by a version of Kubelapse that this page does not know ({detail}).', 'link-text-large': 'What it holds is larger than one megabyte. Ask for the file instead.', 'link-text-incomplete': 'A part of it is missing or not as expected: {detail}.', 'open-example': 'Open an example', dismiss: 'Close',
};

const zh: Record<keyof typeof en, string> = {
  editor: '清单编辑器', inspector: '详情', 'resize-editor': '编辑器宽度', 'resize-inspector': '详情面板宽度', 'resize-timeline': '时间线高度', 'resize-drawer': '抽屉高度',
  loading: '正在启动集群', 'skip-to-map': '跳到集群',
  'broken-title': '引擎停止了', 'broken-text': '这是 Kubelapse 的错误，与你的清单无关。你的文本已保留。', 'copy-report': '复制报告', copied: '已复制', restart: '重新开始',
  'ui-broken-title': '页面停止了', 'ui-broken-text': '这是 Kubelapse 的错误。你的文本已保存在浏览器里。', reload: '重新加载',
  'link-title': '这个链接已损坏', 'link-version-title': '这个链接需要另一个版本', 'link-text-damaged': '它在 {length} 个字符后中断，或在途中被改动。聊天软件常会截断长链接。请索取文件，或从示例开始。',
  'link-text-version': '它由本页面不认识的 Kubelapse 版本生成（{detail}）。', 'link-text-large': '它的内容超过 1 MB，请改用文件。', 'link-text-incomplete': '其中一部分缺失或不符合预期：{detail}。', 'open-example': '打开示例', dismiss: '关闭',
};

export const messages = { en, zh };
