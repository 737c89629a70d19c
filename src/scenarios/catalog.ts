/** The examples, in the order of the menu. Their texts are loaded when chosen. */
export interface CatalogEntry {
  id: string;
  group: string;
  groupZh: string;
  title: string;
  titleZh: string;
  summary: string;
  summaryZh: string;
  /** How it ends, in a few words. */
  ending: string;
  endingZh: string;
  /** The text of scenario.yaml. */
  load(): Promise<string>;
  lesson(language: 'en' | 'zh'): Promise<string>;
}

type Module = Promise<{ default: string }>;

const text = async (module: Module): Promise<string> => (await module).default;

export const catalog: readonly CatalogEntry[] = [
  {
    id: '01-first-pod', group: 'Start', groupZh: '启动',
    title: 'Your first Pod', titleZh: '第一个 Pod',
    summary: 'One nginx container with a readiness probe, from apply to Ready.',
    summaryZh: '一个带就绪探针的 nginx 容器，从提交到 Ready。',
    ending: 'Running, 1/1', endingZh: 'Running，1/1',
    load: () => text(import('./01-first-pod/scenario.yaml?raw')),
    lesson: (language) => text(language === 'zh' ? import('./01-first-pod/lesson.zh-CN.md?raw') : import('./01-first-pod/lesson.en.md?raw')),
  },
  {
    id: '02-image-pull', group: 'Failure', groupZh: '失败',
    title: 'An image that cannot be pulled', titleZh: '拉不下来的镜像',
    summary: 'The tag does not exist: ErrImagePull and ImagePullBackOff take turns.',
    summaryZh: '标签不存在：ErrImagePull 与 ImagePullBackOff 交替出现。',
    ending: 'ImagePullBackOff, repaired at 70 s', endingZh: 'ImagePullBackOff，70 秒时修好',
    load: () => text(import('./02-image-pull/scenario.yaml?raw')),
    lesson: (language) => text(language === 'zh' ? import('./02-image-pull/lesson.zh-CN.md?raw') : import('./02-image-pull/lesson.en.md?raw')),
  },
  {
    id: '03-crash-loop', group: 'Failure', groupZh: '失败',
    title: 'A crash loop', titleZh: '崩溃循环',
    summary: 'The process ends after two seconds, again and again. The waits between restarts double.',
    summaryZh: '进程两秒后退出，一次又一次；重启之间的等待时间翻倍。',
    ending: 'CrashLoopBackOff', endingZh: 'CrashLoopBackOff',
    load: () => text(import('./03-crash-loop/scenario.yaml?raw')),
    lesson: (language) => text(language === 'zh' ? import('./03-crash-loop/lesson.zh-CN.md?raw') : import('./03-crash-loop/lesson.en.md?raw')),
  },
  {
    id: '04-init-waits', group: 'Start', groupZh: '启动',
    title: 'Init containers that wait for a Service', titleZh: '等待 Service 的 Init 容器',
    summary: 'Two init containers look for two Services, one after the other.',
    summaryZh: '两个 Init 容器先后等待两个 Service。',
    ending: 'Running after both Services exist', endingZh: '两个 Service 都存在后进入 Running',
    load: () => text(import('./04-init-waits/scenario.yaml?raw')),
    lesson: (language) => text(language === 'zh' ? import('./04-init-waits/lesson.zh-CN.md?raw') : import('./04-init-waits/lesson.en.md?raw')),
  },
  {
    id: '05-liveness-exec', group: 'Probes', groupZh: '探针',
    title: 'Liveness: the file that disappears', titleZh: '存活探针：消失的文件',
    summary: 'The classic touch and rm example, second by second.',
    summaryZh: '经典的 touch / rm 示例，逐秒观看。',
    ending: 'Restarted every 75 s', endingZh: '每 75 秒重启一次',
    load: () => text(import('./05-liveness-exec/scenario.yaml?raw')),
    lesson: (language) => text(language === 'zh' ? import('./05-liveness-exec/lesson.zh-CN.md?raw') : import('./05-liveness-exec/lesson.en.md?raw')),
  },
  {
    id: '06-readiness-path', group: 'Probes', groupZh: '探针',
    title: 'Readiness on a wrong path', titleZh: '就绪探针路径写错',
    summary: 'Running but never Ready, and no requests come, until the file is there.',
    summaryZh: 'Running 却始终不 Ready，也收不到请求，直到文件出现。',
    ending: 'Ready after the repair at 45 s', endingZh: '45 秒修复后 Ready',
    load: () => text(import('./06-readiness-path/scenario.yaml?raw')),
    lesson: (language) => text(language === 'zh' ? import('./06-readiness-path/lesson.zh-CN.md?raw') : import('./06-readiness-path/lesson.en.md?raw')),
  },
  {
    id: '07-three-probes', group: 'Probes', groupZh: '探针',
    title: 'Three probes and a slow start', titleZh: '三种探针与慢启动',
    summary: 'A startup probe holds the others back for the 20 seconds that the application needs.',
    summaryZh: '应用启动要 20 秒，启动探针让另外两种探针先等着。',
    ending: 'Running, Ready after 20 s', endingZh: '约 20 秒后 Ready',
    load: () => text(import('./07-three-probes/scenario.yaml?raw')),
    lesson: (language) => text(language === 'zh' ? import('./07-three-probes/lesson.zh-CN.md?raw') : import('./07-three-probes/lesson.en.md?raw')),
  },
  {
    id: '08-graceful-end', group: 'Ending', groupZh: '结束',
    title: 'Hooks and a graceful end', titleZh: '回调与体面终止',
    summary: 'postStart, preStop, SIGTERM, and how the grace period is shared.',
    summaryZh: 'postStart、preStop、SIGTERM，以及宽限期如何分配。',
    ending: 'Succeeded, then gone', endingZh: 'Succeeded，随后删除',
    load: () => text(import('./08-graceful-end/scenario.yaml?raw')),
    lesson: (language) => text(language === 'zh' ? import('./08-graceful-end/lesson.zh-CN.md?raw') : import('./08-graceful-end/lesson.en.md?raw')),
  },
  {
    id: '09-sigterm-ignored', group: 'Ending', groupZh: '结束',
    title: 'SIGTERM ignored', titleZh: '忽略 SIGTERM',
    summary: 'A shell as PID 1 does not react. Grace runs out, then SIGKILL.',
    summaryZh: '作为 PID 1 的 shell 没有反应；宽限期用完后 SIGKILL。',
    ending: 'Exit code 137', endingZh: '退出码 137',
    load: () => text(import('./09-sigterm-ignored/scenario.yaml?raw')),
    lesson: (language) => text(language === 'zh' ? import('./09-sigterm-ignored/lesson.zh-CN.md?raw') : import('./09-sigterm-ignored/lesson.en.md?raw')),
  },
  {
    id: '10-oom', group: 'Failure', groupZh: '失败',
    title: 'Out of memory', titleZh: '内存超限',
    summary: 'The process takes more memory than its limit allows.',
    summaryZh: '进程占用的内存超过了 limit。',
    ending: 'OOMKilled, then a crash loop', endingZh: 'OOMKilled，随后崩溃循环',
    load: () => text(import('./10-oom/scenario.yaml?raw')),
    lesson: (language) => text(language === 'zh' ? import('./10-oom/lesson.zh-CN.md?raw') : import('./10-oom/lesson.en.md?raw')),
  },
  {
    id: '11-rolling-update', group: 'Workloads', groupZh: '工作负载',
    title: 'A rolling update behind a Service', titleZh: 'Service 背后的滚动更新',
    summary: 'Three replicas change their image while a client keeps asking.',
    summaryZh: '三个副本更换镜像，客户端一直在请求。',
    ending: 'Three new Pods', endingZh: '三个新 Pod',
    load: () => text(import('./11-rolling-update/scenario.yaml?raw')),
    lesson: (language) => text(language === 'zh' ? import('./11-rolling-update/lesson.zh-CN.md?raw') : import('./11-rolling-update/lesson.en.md?raw')),
  },
  {
    id: '12-node-lost', group: 'Nodes', groupZh: '节点',
    title: 'A node is lost', titleZh: '节点失联',
    summary: 'One node is cut off from the network. Its Pods are replaced after five minutes.',
    summaryZh: '一个节点断网，五分钟后它的 Pod 被替换。',
    ending: 'Replaced on the other node', endingZh: '在另一个节点上重建',
    load: () => text(import('./12-node-lost/scenario.yaml?raw')),
    lesson: (language) => text(language === 'zh' ? import('./12-node-lost/lesson.zh-CN.md?raw') : import('./12-node-lost/lesson.en.md?raw')),
  },
];
