import type { ContainerValue, Lane, LaneValue, PodValue, Tone } from '../../worker/protocol.ts';
import { clock } from '../model/format.ts';
import type { Moment } from '../model/film/moments.ts';
import { film } from '../store/film.ts';
import type { Language } from '../store/view.ts';
import { translate, type Values } from './i18n.ts';
import { messages, type MomentMessage } from './moment-messages.ts';
import { podStatusWords, signalOfExit, withGloss } from './status-words.ts';

/** A moment in words: one line, and a quieter second one. */
export interface MomentWords {
  subject: string;
  title: string;
  detail: string;
  icon: string;
  /** Of the icon: a state, or one of ink and warning. */
  tone?: Tone | 'ok' | 'bad' | 'warn';
}

type Say = (key: MomentMessage, values?: Values) => string;

/** What a moment was, for lists. Undefined: nothing worth a line of its own. */
export function momentWords(moment: Moment, language: Language): MomentWords | undefined {
  const say: Say = (key, values) => translate(messages, language, key, values);
  const { lane, value, at } = moment;
  const before = film().valueAt(lane.id, at - 1);
  const words = wordsOf(lane, value, before, say, language);
  return words === undefined ? undefined : { subject: subjectOf(lane), ...words };
}

function subjectOf(lane: Lane): string {
  if (lane.kind === 'pod' || lane.kind === 'node' || lane.kind === 'service') return lane.label;
  return lane.podUid === undefined ? '' : (film().lane(`pod/${lane.podUid}`)?.label ?? '');
}

function wordsOf(lane: Lane, value: LaneValue | undefined, before: LaneValue | undefined, say: Say, language: Language): Omit<MomentWords, 'subject'> | undefined {
  if (value === undefined) return lane.kind === 'pod' ? { title: say('gone'), detail: say('pod-gone'), icon: 'close', tone: 'terminating' } : undefined;
  switch (value.kind) {
    case 'pod': return podWords(value, before, say, language);
    case 'container': return containerWords(lane.label, value, before, say, language);
    case 'condition': {
      const was = before?.kind === 'condition' ? before.status : undefined;
      const title = was === undefined || was === value.status ? say('ready-first', { type: lane.label, after: value.status }) : say('ready-flips', { type: lane.label, before: was, after: value.status });
      return { title, detail: value.message ?? value.reason ?? '', icon: value.status === 'True' ? 'check' : 'state-not-ready', tone: value.status === 'True' ? 'ok' : 'warn' };
    }
    case 'node': return { title: say('node-ready', { after: value.ready }), detail: value.taints.join(', '), icon: value.ready === 'True' ? 'node' : 'warning', ...(value.ready === 'True' ? {} : { tone: 'warn' as const }) };
    case 'probe': {
      const probe = say(lane.probe ?? 'liveness');
      const passed = value.outcome === 'success';
      const title = say(passed ? 'probe-passed' : value.outcome === 'timeout' ? 'probe-timeout' : value.outcome === 'unknown' ? 'probe-unknown' : 'probe-failed', { probe });
      return { title, detail: [passed ? '' : say('n-of-m', { n: value.run, m: value.threshold }), value.message].filter(Boolean).join(', '), icon: `${lane.probe ?? 'liveness'}-${passed ? 'ok' : 'fail'}`, tone: passed ? 'ok' : 'bad' };
    }
    case 'event': return {
      title: value.reason, detail: `${value.message}${value.count > 1 ? ` (${say('event-count', { count: value.count })})` : ''}`, icon: 'flag', ...(value.type === 'Warning' ? { tone: 'warn' as const } : {}),
    };
    case 'signal': {
      const isHook = !value.signal.startsWith('SIG');
      const title = isHook ? say('hook', { hook: value.signal, container: value.container }) : say('signal', { signal: value.signal, container: value.container });
      return { title, detail: value.message ?? (value.killAt === undefined ? '' : say('signal-kill-at', { at: clock(value.killAt) })), icon: 'bolt' };
    }
    case 'input': return { title: value.summary, detail: (value.stdout ?? '').trim().split('\n')[0] || (value.stderr ?? '').trim().split('\n')[0] || say('you-did'), icon: value.input?.kind === 'fault' ? 'bolt' : 'terminal' };
    default: return undefined;
  }
}

function podWords(value: PodValue, before: LaneValue | undefined, say: Say, language: Language): Omit<MomentWords, 'subject'> {
  const words = podStatusWords(value, language);
  const was = before?.kind === 'pod' ? podStatusWords(before, language) : undefined;
  const detail = value.message ?? [say('ready-count', { ready: value.ready, total: value.total }), value.node ?? ''].filter(Boolean).join(', ');
  return { title: was === words ? say('ready-count', { ready: value.ready, total: value.total }) : words, detail, icon: `state-${value.tone === 'succeeded' ? 'completed' : value.tone}`, tone: value.tone };
}

function containerWords(container: string, value: ContainerValue, before: LaneValue | undefined, say: Say, language: Language): Omit<MomentWords, 'subject'> {
  const icon = `role-${value.role === 'ephemeral' ? 'app' : value.role}`;
  const was = before?.kind === 'container' ? before : undefined;
  if (value.state === 'running' && was?.state === 'running') return { title: say(value.ready ? 'now-ready' : 'now-not-ready', { container }), detail: say('image', { image: value.image }), icon, tone: value.tone };
  if (value.state === 'running') return { title: say('container-running', { container }), detail: value.restarts > 0 ? say('restart-n', { count: value.restarts }) : say('image', { image: value.image }), icon, tone: value.tone };
  const reason = withGloss(value.reason ?? '', language);
  if (value.state === 'waiting') {
    const detail = value.retryAt === undefined ? (value.message ?? say('image', { image: value.image })) : say('back-off-until', { at: clock(value.retryAt) });
    return { title: say('container-waiting', { container, reason }), detail, icon, tone: value.tone };
  }
  const signal = signalOfExit(value.exitCode);
  const code = value.exitCode ?? 0;
  return { title: say('container-ended', { container, reason }), detail: signal === undefined ? say('exit-code', { code }) : say('exit-signal', { code, signal }), icon, tone: value.tone };
}

export const toneClass = (tone: MomentWords['tone']): string => (tone === 'ok' || tone === 'bad' || tone === 'warn' ? tone : tone === undefined ? 'i2' : 'hue');
