import { useCallback, useLayoutEffect, useMemo, useState } from 'react';
import { createStore } from 'zustand/vanilla';
import { elapsed, say as fill } from '../../model/format.ts';
import { chipAt } from '../../model/map/chip.ts';
import { footAt } from '../../model/map/foot.ts';
import { layoutMap } from '../../model/map/layout.ts';
import { nodeFacts, serviceFacts } from '../../model/map/map.ts';
import { Glyph, StateGlyph } from '../../parts/glyph.tsx';
import { Capacities } from './boxes.tsx';
import { Name, Square } from './chip.tsx';
import type { ClusterMapProps } from './cluster-map.tsx';
import { MapContext, useMap, type MapState, type Say } from './context.ts';
import styles from './list.module.css';
import { messages } from './messages.ts';

/** The phone's cluster: no canvas, but rows. The queue, the Services with their pods, then each node with its pods. */
export function ClusterList(props: Omit<ClusterMapProps, 'still' | 'bare' | 'theme'>) {
  const { film, version, cursor, selectedPod, language, onSelectPod } = props;
  const say: Say = useCallback((said) => fill(messages[language], said), [language]);
  const layout = useMemo(() => layoutMap(film, { width: 360, height: 600, density: 'full' }), [film, version]);
  const state: MapState = {
    film, version, cursor, layout, selectedPod, selectedLane: props.selectedLane, filter: props.filter ?? '', say, decision: props.decision, onSelectPod, onSelectLane: props.onSelectLane ?? (() => {}), onMenu: props.onMenu,
  };
  const [store] = useState(() => createStore<MapState>()(() => state));
  useLayoutEffect(() => store.setState(state));
  const pods = film.podsAt(cursor);
  const queued = pods.filter(({ value }) => value.node === undefined);
  return (
    <MapContext.Provider value={store}>
      <div className={styles.list}>
        <section className={styles.row} aria-label={say({ key: 'queue' })}>
          <Glyph name="queue" /><b className={styles.grow}>{say({ key: 'queue' })}</b>
          {queued.length === 0 ? <span className={styles.quiet}>0</span> : queued.slice(0, 2).map(({ lane }) => <QueueTag key={lane.id} uid={lane.podUid ?? ''} name={lane.label} />)}
          {queued.length > 2 && <span className={styles.quiet}>+{queued.length - 2}</span>}
        </section>
        {film.servicesAt(cursor).map(({ lane, value }) => {
          const facts = serviceFacts(value);
          return (
            <section key={lane.id} className={styles.row} aria-label={`svc/${lane.label}`}>
              <Glyph name="service" />
              <span className={styles.grow}><b>svc/{lane.label}</b><span className={styles.small}>{facts.total === 0 ? say({ key: 'no-endpoints' }) : `${facts.ready} ${say({ key: 'endpoints-ready', values: { total: facts.total } })}`}</span></span>
              <span className={styles.squares}>{value.endpoints.slice(0, 5).map((endpoint) => <Square key={endpoint.podUid} uid={endpoint.podUid} />)}</span>
            </section>
          );
        })}
        {film.nodesAt(cursor).map((node) => {
          const facts = nodeFacts(film, node, cursor);
          const ready = facts.value.ready === 'True';
          return (
            <section key={node.lane.id} className={styles.node} data-state={ready ? 'ready' : 'not-ready'} aria-label={facts.name}>
              <div className={styles.head}>
                <Glyph name="node" /><b>{facts.name}</b>
                <span className={styles.status}><Glyph name={ready ? 'state-ready' : 'warning'} size={12} className={ready ? 'ok' : 'warn'} />{ready ? 'Ready' : 'NotReady'}{facts.silentMs === undefined ? '' : `, ${say({ key: 'no-lease-after' })} ${elapsed(facts.silentMs)}`}</span>
              </div>
              {ready && <Capacities value={facts.value} say={say} />}
              <div className={styles.pods}>
                {pods.filter(({ value }) => value.node === facts.name).map(({ lane }) => <PhoneChip key={lane.id} uid={lane.podUid ?? ''} />)}
              </div>
            </section>
          );
        })}
      </div>
    </MapContext.Provider>
  );
}

function QueueTag({ uid, name }: { uid: string; name: string }) {
  const select = useMap((state) => state.onSelectPod);
  return <button type="button" className={styles.tag} data-state="pending" onClick={() => select(uid)}><StateGlyph tone="pending" size={12} className="hue" />{name}</button>;
}

/** Glyph box, name, the state's word, and what is left of a wait. */
function PhoneChip({ uid }: { uid: string }) {
  const film = useMap((state) => state.film);
  const cursor = useMap((state) => state.cursor);
  const say = useMap((state) => state.say);
  const selected = useMap((state) => state.selectedPod === uid);
  const select = useMap((state) => state.onSelectPod);
  const chip = chipAt(film, uid, cursor);
  if (chip === undefined) return null;
  const { left } = footAt(film, chip, cursor);
  return (
    <button type="button" className={styles.chip} data-state={chip.tone} data-uid={uid} aria-pressed={selected} onClick={() => select(uid)}>
      <span className={styles.glyphBox}><StateGlyph tone={chip.tone} /></span>
      <span className={styles.words}><Name text={chip.name} /><span className={styles.small}>{short(say, chip.tone, say(chip.status))}{left === undefined || chip.tone === 'back-off' ? '' : ` ${left}`}</span></span>
    </button>
  );
}

const short = (say: Say, tone: string, status: string): string => (tone === 'ready' ? say({ key: 'ready' }) : tone === 'not-ready' ? say({ key: 'not-ready' }) : status);
