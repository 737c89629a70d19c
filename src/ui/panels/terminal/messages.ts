const en = {
  title: 'Terminal', label: 'Terminal with kubectl. Press Control M to let Tab move the focus.', copy: 'Copy all', 'tab-completes': 'Tab completes', 'tab-leaves': 'Tab leaves the terminal', 'tab-toggle': 'Control M: Tab moves the focus or completes',
  failed: 'The terminal could not be loaded.',
  welcome: '# kubectl v1.37 at the time of the playhead. Type help for more.',
  forks: '# Acts of yours lie ahead of the playhead: a new branch begins here, the old one stays.',
  waits: '# Waits in simulated time. Ctrl+C stops waiting.',
  follows: '# Follows the playhead. Ctrl+C ends it.',
  loading: '# The film is still loading.',
  'no-shell': '# No interactive shell here: give the command, as in kubectl exec POD -- ls',
  'other-film': '# Another film was opened.',
  'new-film': '# A new film: {title}',
  help: `kubectl (or k) acts on the cluster at the time of the playhead.
  reads    get describe logs events top wait diff version api-resources
           ask the cluster as it was then; the film stays as it is
  changes  apply create delete scale label taint cordon drain patch set exec
           happen at the playhead and become part of the film; time goes on
  files    those of the editor: ls, cat web.yaml, kubectl apply -f web.yaml
           kubectl run web --image=nginx --dry-run=client -o yaml > web.yaml
  shell    | && || ; > < <<EOF echo cat ls grep head tail wc sort sleep
           history clear exit
  keys     Tab completes, Up and Down recall, Ctrl+R searches, Ctrl+C stops,
           Ctrl+L clears, Ctrl+A E U W edit, Ctrl+M lets Tab move the focus
`,
};

const zh: Record<keyof typeof en, string> = {
  title: '终端', label: '带 kubectl 的终端。按 Control M 后可用 Tab 移动焦点。', copy: '全部复制', 'tab-completes': 'Tab 补全', 'tab-leaves': 'Tab 离开终端', 'tab-toggle': 'Control M：Tab 移动焦点或补全',
  failed: '终端无法加载。',
  welcome: '# 播放头所在时刻的 kubectl v1.37。输入 help 查看更多。',
  forks: '# 播放头之后还有你的操作：从这里开始一个新分支，旧分支保留。',
  waits: '# 在模拟时间中等待。Ctrl+C 停止等待。',
  follows: '# 跟随播放头。Ctrl+C 结束。',
  loading: '# 影片仍在加载。',
  'no-shell': '# 这里没有交互式 shell：请直接给出命令，例如 kubectl exec POD -- ls',
  'other-film': '# 已打开另一部影片。',
  'new-film': '# 新影片：{title}',
  help: `kubectl（或 k）作用于播放头所在时刻的集群。
  读取     get describe logs events top wait diff version api-resources
           查询当时的集群；影片不变
  改变     apply create delete scale label taint cordon drain patch set exec
           发生在播放头处，成为影片的一部分；时间继续
  文件     编辑器中的文件：ls、cat web.yaml、kubectl apply -f web.yaml
           kubectl run web --image=nginx --dry-run=client -o yaml > web.yaml
  shell    | && || ; > < <<EOF echo cat ls grep head tail wc sort sleep
           history clear exit
  按键     Tab 补全，上下键调出历史，Ctrl+R 搜索，Ctrl+C 停止，Ctrl+L 清屏，
           Ctrl+A E U W 编辑，Ctrl+M 让 Tab 移动焦点
`,
};

export const messages = { en, zh };
