import type { Message } from '../../../worker/protocol.ts';
import type { Said } from '../format.ts';

export type ActorWord = 'you' | 'runtime' | 'other-controllers';

/** From the user down to the machine: the way of a pod. */
const order: readonly (readonly [test: (actor: string) => boolean, rank: number])[] = [
  [(actor) => actor === 'user', 0],
  [(actor) => actor === 'kube-apiserver', 1],
  [(actor) => actor === 'etcd', 2],
  [(actor) => actor === 'kube-scheduler', 3],
  [(actor) => actor === 'kube-controller-manager', 5],
  [(actor) => actor.startsWith('kubelet/') || actor.startsWith('container-runtime/'), 6],
];

const rankOf = (actor: string): number => order.find(([test]) => test(actor))?.[1] ?? 4;
const nodeOf = (actor: string): string => actor.slice(actor.indexOf('/') + 1);
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Those who always have a row: what happens between them is what the view is about. */
const always: readonly string[] = ['user', 'kube-apiserver', 'etcd', 'kube-scheduler'];

/** The rows: those who spoke or heard, and the node of the pod. A runtime stands under its kubelet. */
export function actorsOf(messages: readonly Message[], node: string | undefined, known: readonly string[] = []): string[] {
  const actors = new Set([...always, ...known]);
  for (const { from, to } of messages) actors.add(from).add(to);
  if (node !== undefined) actors.add(`kubelet/${node}`).add(`container-runtime/${node}`);
  return [...actors].sort((a, b) => rankOf(a) - rankOf(b) || (rankOf(a) === 6 ? byText(nodeOf(a), nodeOf(b)) || byText(b, a) : byText(a, b)));
}

/** What a row is called. */
export function actorSaid(actor: string): Said<ActorWord> {
  if (actor === 'user') return { key: 'you' };
  if (actor === 'kube-controller-manager') return { key: 'other-controllers' };
  if (actor.startsWith('container-runtime/')) return { key: 'runtime', values: { node: nodeOf(actor) } };
  return actor.replace('/', ', ');
}
