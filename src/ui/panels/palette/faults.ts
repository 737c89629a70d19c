import type { Fault } from '../../../scenarios/schema.ts';
import { subjectOf } from '../../parts/subject.ts';
import type { Translate } from '../../parts/i18n.ts';
import { film } from '../../store/film.ts';
import { cursor } from '../../store/playback.ts';
import { selectionStore } from '../../store/selection.ts';
import { injectFault } from '../../store/session.ts';
import type { Entry } from './entries.ts';
import type { messages } from './messages.ts';

type Say = Translate<keyof (typeof messages)['en']>;

/** What can be done to the selection against its will, at the playhead. */
export function faults(t: Say): Entry[] {
  const lane = selectionStore.getState().lane;
  const data = lane === undefined ? undefined : film().lanes.get(lane);
  const subject = subjectOf(data?.lane.podUid === undefined ? data?.lane : film().lanes.get(`pod/${data.lane.podUid}`)?.lane);
  if (subject === undefined) return [];
  const entry = (id: Parameters<Say>[0], fault: Fault): Entry => ({ id, text: t(id, { name: subject.name }), sub: t('fault'), icon: 'bolt', run: () => injectFault(fault) });
  if (subject.kind === 'Node') return nodeFaults(subject.name, entry);
  return subject.kind === 'Pod' ? podFaults(`${subject.namespace}/${subject.name}`, entry) : [];
}

type MakeEntry = (id: 'fault-kill' | 'fault-exit' | 'fault-liveness' | 'fault-readiness' | 'fault-sandbox' | 'fault-cut' | 'fault-join' | 'fault-stop' | 'fault-start', fault: Fault) => Entry;

function podFaults(pod: string, entry: MakeEntry): Entry[] {
  const [, name] = pod.split('/');
  const shown = film().podsAt(cursor()).find(({ lane }) => `${lane.namespace ?? 'default'}/${lane.label}` === pod)?.value;
  const node = shown?.kind === 'pod' ? shown.node : undefined;
  return [
    entry('fault-kill', { pod, kill: 'SIGKILL' }),
    entry('fault-exit', { pod, kill: '1' }),
    entry('fault-liveness', { pod, probe: 'liveness', result: 'fail', for: '1m' }),
    entry('fault-readiness', { pod, probe: 'readiness', result: 'fail', for: '1m' }),
    ...(node === undefined ? [] : [entry('fault-sandbox', { node, sandbox: name ?? '' })]),
  ];
}

function nodeFaults(node: string, entry: MakeEntry): Entry[] {
  return [
    entry('fault-cut', { node, network: 'down' }), entry('fault-join', { node, network: 'up' }),
    entry('fault-stop', { node, kubelet: 'stop' }), entry('fault-start', { node, kubelet: 'start' }),
  ];
}
