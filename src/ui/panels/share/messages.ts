const en = {
  title: 'Share', close: 'Close', text: 'The link holds the scenario, what you did, the moment on screen, the selection, the language and the theme. It stays on this computer until you send it.',
  link: 'Link', copy: 'Copy link', long: 'This link has {length} characters. Some chat programs cut links that long; a file is safer.', file: 'Save as file', 'open-file': 'Open a file', 'bad-file': 'This file cannot be opened: {detail}', characters: '{length} characters',
};

const zh: Record<keyof typeof en, string> = {
  title: '分享', close: '关闭', text: '链接包含场景、你的操作、当前时刻、选中对象、语言和主题。在你发送之前，它只在这台电脑上。',
  link: '链接', copy: '复制链接', long: '这个链接有 {length} 个字符。有些聊天软件会截断这么长的链接，用文件更稳妥。', file: '保存为文件', 'open-file': '打开文件', 'bad-file': '无法打开这个文件：{detail}', characters: '{length} 个字符',
};

export const messages = { en, zh };
