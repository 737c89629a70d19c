const en = {
  type: 'Type', reason: 'Reason', age: 'Age', from: 'From', object: 'Object', message: 'Message', 'no-events': 'No events yet', 'no-events-text': 'They come as the playhead passes them.', more: '{count} older events', jump: 'Go to {at}',
  normal: 'Normal', warning: 'Warning', copy: 'Copy', copied: 'Copied', loading: 'Loading', gone: 'Not in the API at this time', 'next-changed-line': 'To the next changed line', 'managed-fields': 'managedFields', 'changed-lines': '{count} changed, {at}', 'no-change': 'first version, {at}', 'asks-kubectl': 'kubectl describe {name}',
  'previous-change': 'Previous change', 'next-change': 'Next change',
};

const zh: Record<keyof typeof en, string> = {
  type: '类型', reason: '原因', age: '时间', from: '来源', object: '对象', message: '消息', 'no-events': '还没有事件', 'no-events-text': '播放头经过时会出现。', more: '更早的事件 {count} 个', jump: '跳到 {at}',
  normal: 'Normal', warning: 'Warning', copy: '复制', copied: '已复制', loading: '加载中', gone: '此时 API 中没有这个对象', 'next-changed-line': '到下一处改变', 'managed-fields': 'managedFields', 'changed-lines': '{at} 改变 {count} 行', 'no-change': '第一个版本，{at}', 'asks-kubectl': 'kubectl describe {name}',
  'previous-change': '上一次改变', 'next-change': '下一次改变',
};

export const messages = { en, zh };
