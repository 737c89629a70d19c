import type { ContainerValue, PodValue } from '../../worker/protocol.ts';
import type { Language } from '../store/view.ts';

/** Chinese glosses of words that Kubernetes prints. The words themselves are never translated. */
const glosses: Readonly<Record<string, string>> = {
  Pending: '悬决', ContainerCreating: '创建容器中', PodInitializing: '初始化中', CrashLoopBackOff: '崩溃回退', ImagePullBackOff: '镜像拉取回退', ErrImagePull: '镜像拉取失败',
  ErrImageNeverPull: '策略禁止拉取镜像', InvalidImageName: '镜像名无效', CreateContainerConfigError: '容器配置错误', CreateContainerError: '创建容器失败', RunContainerError: '启动容器失败',
  Error: '失败', OOMKilled: '内存超限', Completed: '成功完成', Succeeded: '成功', Failed: '失败', Terminating: '正在终止', Unknown: '未知', Evicted: '被驱逐', NodeLost: '节点失联',
  SchedulingGated: '调度门控', ContainerStatusUnknown: '容器状态未知', NotReady: '未就绪', Running: '运行中', StartError: '启动错误', ContainerCannotRun: '无法运行', DeadlineExceeded: '超过期限',
  UnexpectedAdmissionError: '节点拒绝', NodeAffinity: '节点亲和性不符', Preempting: '抢占', Unschedulable: '不可调度', True: '是', False: '否',
};

export function glossOf(word: string): string | undefined {
  return glosses[word] ?? (word.startsWith('Init:') ? '初始化' : undefined);
}

/** The headline of a pod: kubectl's STATUS; what runs also says whether it is ready. */
export function podStatusWords({ status, tone }: Pick<PodValue, 'status' | 'tone'>, language: Language): string {
  if (status === 'Running' && (tone === 'ready' || tone === 'not-ready' || tone === 'starting')) {
    if (language === 'zh') return tone === 'ready' ? '运行中·就绪' : '运行中·未就绪';
    return tone === 'ready' ? 'Running, Ready' : 'Running, NotReady';
  }
  return withGloss(status, language);
}

export function withGloss(word: string, language: Language): string {
  const gloss = language === 'zh' ? glossOf(word) : undefined;
  return gloss === undefined ? word : `${word} ${gloss}`;
}

/** A container's state in words: 'Running, ready', 'Completed, exit 0', 'CrashLoopBackOff'. */
export function containerStateWords(value: ContainerValue, language: Language): string {
  const zh = language === 'zh';
  if (value.state === 'running') {
    if (value.role === 'pause') return zh ? '运行中' : 'Running';
    if (value.role === 'init') return zh ? '运行中' : 'Running';
    return value.ready ? (zh ? '运行中·就绪' : 'Running, ready') : zh ? '运行中·未就绪' : 'Running, not ready';
  }
  if (value.state === 'waiting') return withGloss(value.reason ?? (zh ? '等待' : 'Waiting'), language);
  const exit = value.exitCode === undefined ? '' : zh ? `，退出码 ${value.exitCode}` : `, exit ${value.exitCode}`;
  return `${withGloss(value.reason ?? (zh ? '已终止' : 'Terminated'), language)}${exit}`;
}

const signals: Readonly<Record<number, string>> = { 1: 'SIGHUP', 2: 'SIGINT', 3: 'SIGQUIT', 6: 'SIGABRT', 9: 'SIGKILL', 11: 'SIGSEGV', 15: 'SIGTERM' };

/** 137 -> SIGKILL: what a shell means by 128 + n. */
export function signalOfExit(code: number | undefined): string | undefined {
  return code === undefined || code <= 128 ? undefined : signals[code - 128];
}
