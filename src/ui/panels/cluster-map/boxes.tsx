import { memo } from 'react';
import type { NodeValue, ServiceValue } from '../../../worker/protocol.ts';
import { elapsed, length, trim } from '../../model/format.ts';
import { clientFacts, nodeFacts, placesAt, reasonsOf, serviceFacts } from '../../model/map/map.ts';
import { Square } from './chip.tsx';
import { useMap, useMapReader, type MapState, type Say } from './context.ts';
import { Glyph } from '../../parts/glyph.tsx';
import styles from './map.module.css';

const gi = 1024 ** 3;

/** A node: capacity by requests, readiness, taints, cordon, age of its lease. */
export const NodeFrame = memo(function NodeFrame({ name }: { name: string }) {
  const laneId = `node/${name}`;
  useMap((state) => state.film.spanAt(laneId, state.cursor)?.from ?? -1);
  useMap((state) => silentSeconds(state, laneId));
  const state = useMap((s) => s.film);
  const cursor = useMap((s) => Math.floor(s.cursor / 1000));
  const say = useMap((s) => s.say);
  const select = useMap((s) => s.onSelectLane);
  const selected = useMap((s) => s.selectedLane === laneId);
  const read = useMapReader();
  const exact = state.spanAt(laneId, read().cursor);
  if (exact?.value.kind !== 'node') return null;
  const lane = state.lane(laneId);
  if (lane === undefined) return null;
  const facts = nodeFacts(state, { lane, value: exact.value as NodeValue, from: exact.from, until: exact.until }, Math.max(exact.from, cursor * 1000));
  const { value } = facts;
  const ready = value.ready === 'True';
  return (
    <div className={`${styles.node} ${selected ? styles.on : ''}`} data-state={ready ? 'ready' : 'not-ready'} role="group" aria-label={`${say({ key: 'node' })} ${name}, ${ready ? 'Ready' : 'NotReady'}`}>
      <button type="button" className={styles.nodeName} aria-pressed={selected} onClick={() => select(laneId)}>
        <Glyph name="node" /><span className={styles.clip}>{name}</span>
        {value.pressures.map((pressure) => <span key={pressure} className={styles.badge} title={say({ key: 'pressure', values: { type: pressure } })}>{pressure.slice(0, 1)}</span>)}
        <span className={styles.nodeStatus}>
          {!value.schedulable && <span title={say({ key: 'cordoned' })}><Glyph name="lock" /></span>}
          <Glyph name={ready ? 'state-ready' : 'warning'} className={ready ? styles.okGlyph : styles.warnGlyph} />{ready ? 'Ready' : 'NotReady'}
        </span>
      </button>
      <Capacities value={value} say={say} />
      <Squares name={name} />
      <div className={styles.notes}>
        {facts.silentMs !== undefined && <><Glyph name="clock" /><span>{say({ key: 'no-lease' })} <span className={styles.ink1}>{elapsed(facts.silentMs)}</span></span></>}
        {value.taints.slice(0, 2).map((taint) => <Taint key={taint} taint={taint} />)}
      </div>
    </div>
  );
});

function silentSeconds(state: MapState, laneId: string): number {
  const value = state.film.spanAt(laneId, state.cursor)?.value;
  return value?.kind === 'node' && !value.alive ? Math.floor(state.cursor / 1000) : -1;
}

const Taint = ({ taint }: { taint: string }) => (
  <><Glyph name="lock" /><span lang="en" className={styles.clip} title={taint}>{taint.replace(/^node(-role)?\.kubernetes\.io\//, '')}</span></>
);

export function Capacities({ value, say }: { value: NodeValue; say: Say }) {
  return (
    <div className={styles.caps}>
      <Capacity label={say({ key: 'cpu' })} used={value.cpuRequestedMilli / 1000} total={value.cpuMilli / 1000} unit="" />
      <Capacity label={say({ key: 'mem' })} used={value.memoryRequestedBytes / gi} total={value.memoryBytes / gi} unit=" Gi" />
    </div>
  );
}

function Capacity({ label, used, total, unit }: { label: string; used: number; total: number; unit: string }) {
  const share = total > 0 ? Math.min(1, used / total) : 0;
  return <span className={styles.capacity}><span>{label}</span><i><b style={{ width: `${share * 100}%` }} /></i><span>{trim(used)} / {trim(total)}<em>{unit}</em></span></span>;
}

/** In the densest view the frame holds its pods itself: a flow node each would cost too much. */
function Squares({ name }: { name: string }) {
  const dense = useMap((state) => state.layout.density === 'square');
  const uids = useMap((state) => (dense ? squareKey(state, name) : ''));
  const columns = useMap((state) => state.layout.frames.get(name)?.columns ?? 1);
  if (!dense) return null;
  const slots = uids === '' ? [] : uids.split(' ');
  return (
    <div className={styles.squares} style={{ gridTemplateColumns: `repeat(${columns}, 22px)` }}>
      {slots.map((uid, index) => (uid === '-' ? <span key={`gap${index + 1}`} className={styles.squareGap} /> : <Square key={uid} uid={uid} />))}
    </div>
  );
}

/** Pods of a node by slot, '-' for a free one. */
function squareKey(state: MapState, name: string): string {
  const list: string[] = [];
  for (const [uid, slot] of state.layout.slots.byPod) {
    if (slot.node !== name || state.cursor < slot.from || state.cursor >= slot.until) continue;
    list[slot.index] = uid;
  }
  return Array.from(list, (uid) => uid ?? '-').join(' ');
}

export const ServiceBox = memo(function ServiceBox({ laneId, short }: { laneId: string; short: boolean }) {
  const span = useMap((state) => state.film.spanAt(laneId, state.cursor)?.value);
  const label = useMap((state) => state.film.lane(laneId)?.label ?? '');
  const say = useMap((state) => state.say);
  const select = useMap((state) => state.onSelectLane);
  const selected = useMap((state) => state.selectedLane === laneId);
  if (span?.kind !== 'service') return null;
  const facts = serviceFacts(span as ServiceValue);
  const sentence = facts.total === 0 ? <span>{say({ key: 'no-endpoints' })}</span> : <><b>{facts.ready}</b> {say({ key: 'endpoints-ready', values: { total: facts.total } })}</>;
  return (
    <button type="button" className={`${styles.box} ${selected ? styles.on : ''}`} onClick={() => select(laneId)} aria-pressed={selected}>
      <span className={`${styles.boxTitle} ${styles.ink1}`}><Glyph name="service" /><strong className={styles.clip}>svc/{label}</strong>{short && <span className={styles.push}>{facts.ready}/{facts.total}</span>}</span>
      {!short && <span className={styles.line}>{facts.address}</span>}
      {!short && <span className={styles.line}>{sentence}</span>}
    </button>
  );
});

export const ClientBox = memo(function ClientBox({ laneId }: { laneId: string }) {
  const film = useMap((state) => state.film);
  const slot = useMap((state) => Math.floor(state.cursor / 250));
  const say = useMap((state) => state.say);
  const select = useMap((state) => state.onSelectLane);
  const facts = clientFacts(film, laneId, slot * 250 + 249);
  return (
    <button type="button" className={styles.box} onClick={() => select(laneId)}>
      <span className={styles.boxTitle} style={{ margin: '0 0 2px' }}><Glyph name="client" /><span className={styles.clip}>{laneId.split('/').slice(1).join('/')}</span></span>
      <span className={styles.tight}>{say({ key: 'rate', values: { count: facts.rate } })}</span>
      <span className={styles.tight}>{say({ key: 'failing', values: { count: facts.failing } })}</span>
    </button>
  );
});

/** Pods without a node. The oldest ones are chips, the rest is a number; below, why the first one waits. */
export const QueueBox = memo(function QueueBox() {
  const queue = useMap((state) => placesAt(state.film, state.layout, state.cursor).queue.join(' '));
  const say = useMap((state) => state.say);
  const uids = queue === '' ? [] : queue.split(' ');
  const first = uids[0];
  return (
    <div className={`${styles.box} ${styles.dashed}`} role="group" aria-label={`${say({ key: 'queue' })} ${uids.length}`}>
      <span className={styles.boxTitle}><Glyph name="queue" />{say({ key: 'queue' })}<span className={`${styles.push} ${styles.ink3}`}>{uids.length}</span></span>
      {uids.length > 2 && <span className={styles.more}>{say({ key: 'and-more', values: { count: uids.length - 2 } })}</span>}
      {uids.length === 1 && first !== undefined && <Reasons uid={first} />}
    </div>
  );
});

function Reasons({ uid }: { uid: string }) {
  const say = useMap((state) => state.say);
  const film = useMap((state) => state.film);
  const second = useMap((state) => Math.floor(state.cursor / 1000));
  const decision = useMap((state) => (state.decision?.podUid === uid ? state.decision : undefined));
  const read = useMapReader();
  const span = film.spanAt(`pod/${uid}`, read().cursor);
  if (span?.value.kind !== 'pod' || span.value.message === undefined) return null;
  const from = film.lanes.get(`pod/${uid}`)?.spans.at[0] ?? span.from;
  const rows = decision === undefined
    ? reasonsOf(span.value.message).map(({ nodes, reason }) => [say({ key: 'nodes-count', values: { count: nodes } }), reason] as const)
    : decision.nodes.map((node) => [node.node, node.reason ?? node.filter ?? ''] as const);
  return (
    <div className={styles.reasons} title={span.value.message}>
      <span>{say({ key: 'unschedulable-for', values: { time: length(Math.floor(Math.max(0, second * 1000 - from) / 1000) * 1000) } })}</span>
      <dl>{rows.slice(0, 2).map(([who, why]) => <div key={`${who}${why}`}><dt>{who}</dt><dd className={styles.clip}>{why}</dd></div>)}</dl>
    </div>
  );
}
