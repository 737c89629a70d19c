const en = {
  title: 'Editor', files: 'Files', add: 'New file', close: 'Close {name}', changed: 'changed', manifest: 'Manifest {name}', 'no-problems': 'No problems', checking: 'Checking', 'one-problem': '1 problem', problems: '{count} problems',
  line: 'line {line}', 'by-apiserver': 'rejected by the API server', 'by-kubectl': 'rejected by kubectl', 'by-yaml': 'not valid YAML', 'by-kubelapse': 'accepted, not simulated', warning: 'warning of the API server', remark: 'remark',
  'tab-leaves': 'Tab leaves the editor', 'tab-toggle': 'Control M: Tab moves the focus', apply: 'Apply', applied: 'Applied', 'apply-hint': 'Gives this text to the API server at the time of the playhead', fix: 'Fix: {title}', 'more-problems': '{count} more', fewer: 'Fewer',
  'refused-file': '{name} is not a YAML or JSON text of at most 5 MB.', restored: 'Your text was kept.', 'start-over': 'Start over', 'empty-title': 'No manifest', 'empty-text': 'Write one, or open an example.', 'new-branch': 'a new branch begins here', exit: 'exit code {code}', dismiss: 'Close', 'go-to-line': 'Go to line {line}', running: 'Applying',
};

const zh: Record<keyof typeof en, string> = {
  title: '编辑器', files: '文件', add: '新文件', close: '关闭 {name}', changed: '已修改', manifest: '清单 {name}', 'no-problems': '没有问题', checking: '检查中', 'one-problem': '1 个问题', problems: '{count} 个问题',
  line: '第 {line} 行', 'by-apiserver': '被 API 服务器拒绝', 'by-kubectl': '被 kubectl 拒绝', 'by-yaml': '不是有效的 YAML', 'by-kubelapse': '已接受，未模拟', warning: 'API 服务器的警告', remark: '提示',
  'tab-leaves': '用 Tab 离开编辑器', 'tab-toggle': 'Control M：Tab 移动焦点', apply: '应用', applied: '已应用', 'apply-hint': '在播放头所在时刻把文本交给 API 服务器', fix: '修复：{title}', 'more-problems': '还有 {count} 个', fewer: '收起',
  'refused-file': '{name} 不是 5 MB 以内的 YAML 或 JSON 文本。', restored: '已保留你的文本。', 'start-over': '重来', 'empty-title': '没有清单', 'empty-text': '写一个，或打开一个示例。', 'new-branch': '从这里开始一个新分支', exit: '退出码 {code}', dismiss: '关闭', 'go-to-line': '跳到第 {line} 行', running: '应用中',
};

export const messages = { en, zh };
