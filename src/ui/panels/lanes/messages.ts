const en = {
  title: 'Messages between components', you: 'you, kubectl', runtime: 'container runtime, {node}', 'other-controllers': 'other controllers',
  'only-pod': 'only the selected pod', events: 'events', leases: 'leases', closer: 'Zoom to messages', 'closer-hint': 'Zooms to the messages at the playhead that belong together', back: 'Zoom back',
  count: '{count} messages', 'count-one': '1 message', 'of-many': '{count} of {total} messages; zoom in for all', begin: 'known from {at} on',
  none: 'No messages here', 'none-text': 'Nothing was said in this window of time. Move or zoom the timeline.', waiting: 'Asking the engine…',
  keys: 'Arrow keys go from message to message, Enter moves the playhead there, Escape clears the choice.', choose: 'Choose a message to see what it says.',
  sent: 'sent', received: 'received', flight: 'under way', future: 'not sent yet', exit: 'exit {code}', 'cri-ok': 'OK', 'cri-error': 'error', 'jump-to': 'Go to {at}', close: 'Clear choice',
  'no-wait': 'the sender does not wait for the answer', what: 'Message', from: 'From', to: 'To', detail: 'Detail', response: 'answer to {title}', 'list-text': 'The first list of what it watches, then a watch.', 'event-detail': 'reason {detail}', changed: 'changed {detail}',
};

export type LanesMessage = keyof typeof en;

const zh: Record<LanesMessage, string> = {
  title: '组件之间的消息', you: '你，kubectl', runtime: '容器运行时，{node}', 'other-controllers': '其他控制器',
  'only-pod': '只看选中的 Pod', events: '事件', leases: '租约', closer: '放大到消息', 'closer-hint': '放大到播放头处相连的一组消息', back: '返回上次缩放',
  count: '{count} 条消息', 'count-one': '1 条消息', 'of-many': '共 {total} 条消息，显示 {count} 条；放大可看全部', begin: '从 {at} 起有记录',
  none: '这里没有消息', 'none-text': '这段时间内没有消息。请移动或缩放时间线。', waiting: '正在查询…',
  keys: '方向键在消息之间移动，Enter 将播放头移到该处，Esc 取消选择。', choose: '选择一条消息查看内容。',
  sent: '发出', received: '收到', flight: '途中', future: '尚未发出', exit: '退出码 {code}', 'cri-ok': 'OK', 'cri-error': '出错', 'jump-to': '跳到 {at}', close: '取消选择',
  'no-wait': '发送方不等待应答', what: '消息', from: '发送方', to: '接收方', detail: '详情', response: '对 {title} 的应答', 'list-text': '先列出所监视的对象，然后开始监视。', 'event-detail': '原因 {detail}', changed: '变更 {detail}',
};

export const messages = { en, zh };
