import { ReactFlow, type Node, type NodeProps, type ReactFlowInstance } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { createStore } from 'zustand/vanilla';
import type { SchedulingDecision } from '../../../cluster/notes.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../../model/film/film.ts';
import { say as fill } from '../../model/format.ts';
import type { Density } from '../../model/map/geometry.ts';
import { layoutMap, type MapLayout } from '../../model/map/layout.ts';
import { neighbour, placesAt, type Places } from '../../model/map/map.ts';
import { keep, readKept } from '../../store/persist.ts';
import { ClientBox, NodeFrame, QueueBox, ServiceBox } from './boxes.tsx';
import { Chip } from './chip.tsx';
import { MapContext, type MapState, type Say } from './context.ts';
import { MapHead } from './head.tsx';
import { cx } from '../../parts/cx.ts';
import styles from './map.module.css';
import { messages } from './messages.ts';
import { useSize } from './use-size.ts';
import { useTravel } from './use-travel.ts';
import { Wires } from './wires.tsx';

export interface ClusterMapProps {
  film: Film;
  version: number;
  cursor: SimTime;
  selectedPod: string | undefined;
  /** A node or a Service. */
  selectedLane?: string | undefined;
  language: 'en' | 'zh';
  theme: 'dark' | 'light';
  /** No tweens: fast playback, stepping back, reduced motion. */
  still?: boolean;
  /** Instead of tweens: what changed has an outline for a moment. */
  glow?: boolean;
  decision?: SchedulingDecision | undefined;
  filter?: string;
  onFilter?: (filter: string) => void;
  onSelectPod: (podUid: string | undefined) => void;
  onSelectLane?: (laneId: string) => void;
  /** A menu of acts on a pod, at a place of the screen. */
  onMenu?: (podUid: string, x: number, y: number) => void;
  /** Chrome around the map (density, filter) is hidden when presenting. */
  bare?: boolean;
}

type Kind = 'frame' | 'pod' | 'queue' | 'service' | 'client' | 'wires';
type MapNode = Node<{ id: string; variant?: string }, Kind>;

const nodeTypes = {
  frame: ({ data }: NodeProps<MapNode>) => <NodeFrame name={data.id} />,
  pod: ({ data }: NodeProps<MapNode>) => <Chip uid={data.id} size={data.variant === 'full' ? 'full' : 'compact'} />,
  queue: () => <QueueBox />,
  service: ({ data }: NodeProps<MapNode>) => <ServiceBox laneId={data.id} short={data.variant === 'short'} />,
  client: ({ data }: NodeProps<MapNode>) => <ClientBox laneId={data.id} />,
  wires: () => <Wires />,
};

const margin = { left: 16, top: 4, right: 16, bottom: 14 };

export function ClusterMap(props: ClusterMapProps) {
  const { film, version, cursor, selectedPod, selectedLane, language, onSelectPod, onSelectLane, onMenu } = props;
  const say: Say = useCallback((said) => fill(messages[language], said), [language]);
  const [density, choose] = useState<Density | 'auto'>(() => readKept<Density | 'auto'>('density') ?? 'auto');
  const setDensity = (next: Density | 'auto') => {
    choose(next);
    keep('density', next);
  };
  const { filter = '', onFilter = ignore } = props;
  const area = useRef<HTMLDivElement>(null);
  const size = useSize(area);
  const largest = props.bare === true ? 2 : 1;
  const layout = useMemo(
    () => layoutMap(film, { width: Math.max(200, size.width - margin.left - margin.right), height: Math.max(160, size.height - margin.top - margin.bottom), density, largest }),
    [film, version, size.width, size.height, density, largest],
  );
  const state: MapState = {
    film, version, cursor, layout, selectedPod, selectedLane, filter, say, decision: props.decision, onSelectPod, onSelectLane: onSelectLane ?? ignore, onMenu,
  };
  const [store] = useState(() => createStore<MapState>()(() => state));
  useLayoutEffect(() => store.setState(state));

  const places = placesAt(film, layout, cursor);
  const travelling = useTravel(places, props.still ?? false);
  const nodes = useFlowNodes(film, layout, places, cursor, travelling);
  const flow = useFitted(layout, size, largest);
  const keys = (event: KeyboardEvent) => {
    const [dx, dy] = arrows[event.key] ?? [0, 0];
    if (dx === 0 && dy === 0) {
      if (event.key === 'Enter' || event.key === ' ') (event.target as HTMLElement).click();
      else return;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const all = layout.density === 'square' ? squarePlaces(film, layout, cursor) : places.pods;
    const next = neighbour(all, selectedPod, dx, dy);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onSelectPod(next);
    requestAnimationFrame(() => area.current?.querySelector<HTMLElement>(`[data-uid="${CSS.escape(next)}"]`)?.focus());
  };
  return (
    <section data-panel="cluster" data-keys="" className={styles.cluster} aria-label={say({ key: 'title' })}>
      {props.bare !== true && (
        <MapHead say={say} pods={places.total} nodes={film.nodesAt(cursor).length} density={density} actual={layout.density} onDensity={setDensity} filter={filter} onFilter={onFilter} matching={matching(film, cursor, filter)} onFit={flow.fit} />
      )}
      <div ref={area} className={cx(styles.area, props.still === true && styles.still, (props.glow === true || layout.density === 'square') && styles.glowing)} onKeyDown={keys} role="group" aria-label={say({ key: 'map' })}>
        <MapContext.Provider value={store}>
          <ReactFlow<MapNode>
            nodes={nodes} edges={noEdges} nodeTypes={nodeTypes} colorMode={props.theme} onInit={flow.onInit} onMoveStart={flow.onMoveStart} minZoom={0.1} maxZoom={2}
            nodesDraggable={false} nodesConnectable={false} nodesFocusable={false} edgesFocusable={false} elementsSelectable={false} disableKeyboardA11y
            panOnScroll zoomOnDoubleClick={false} zoomOnScroll={false} deleteKeyCode={null} selectionKeyCode={null} multiSelectionKeyCode={null} zoomActivationKeyCode={null} panActivationKeyCode={null}
            defaultViewport={{ x: margin.left, y: margin.top, zoom: 1 }} attributionPosition="bottom-right" onPaneClick={() => onSelectPod(undefined)}
          />
        </MapContext.Provider>
        {film.lanesOfKind('pod').length === 0 && film.lanesOfKind('node').length > 0 && <p className={styles.empty}><b>{say({ key: 'no-pods' })}</b>{say({ key: 'no-pods-hint' })}</p>}
      </div>
    </section>
  );
}

const noEdges: never[] = [];
const ignore = () => {};
const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function matching(film: Film, t: SimTime, filter: string): number | undefined {
  return filter === '' ? undefined : film.podsAt(t).filter(({ lane }) => lane.label.includes(filter)).length;
}

function squarePlaces(film: Film, layout: MapLayout, t: SimTime): Places['pods'] {
  return placesAt(film, layout, t).pods;
}

/** Flow nodes change only when something comes, goes or moves: what a pod says is read by the chip itself. */
function useFlowNodes(film: Film, layout: MapLayout, places: Places, t: SimTime, travelling: ReadonlySet<string>): MapNode[] {
  const present = film.nodesAt(t).map(({ lane }) => lane.label).join(' ');
  const services = film.servicesAt(t).map(({ lane }) => lane.id).join(' ');
  const pods = layout.density === 'square' ? [] : places.pods;
  const podKey = pods.map((pod) => `${pod.uid}${pod.zone}${pod.box.x},${pod.box.y}${travelling.has(pod.uid) ? '!' : ''}`).join(' ');
  return useMemo(() => {
    const frames = [...layout.frames.entries()].filter(([name]) => present.split(' ').includes(name));
    const shown = [...layout.services.entries()].filter(([id]) => services.split(' ').includes(id));
    return [
      node('queue', 'queue', layout.queue, 'queue', 0),
      ...frames.map(([name, { box }]) => node(`frame/${name}`, 'frame', box, name, 0)),
      ...shown.map(([id, box]) => node(id, 'service', box, id, 1, box.h < 60 ? 'short' : 'tall')),
      ...[...layout.clients.entries()].map(([id, box]) => node(id, 'client', box, id, 1)),
      ...pods.map((pod) => node(`pod/${pod.uid}`, 'pod', pod.box, pod.uid, 2, pod.zone === 'node' && layout.density === 'full' ? 'full' : 'compact', travelling.has(pod.uid) ? styles.travel : undefined)),
      node('wires', 'wires', { x: 0, y: 0, w: 1, h: 1 }, 'wires', 3, undefined, styles.through),
    ];
    // The keys stand for the lists that they were made from.
  }, [layout, present, services, podKey]);
}

function node(id: string, type: Kind, box: { x: number; y: number; w: number; h: number }, dataId: string, zIndex: number, variant?: string, className?: string): MapNode {
  return {
    id, type, position: { x: box.x, y: box.y }, width: box.w, height: box.h, zIndex, data: { id: dataId, ...(variant === undefined ? {} : { variant }) }, draggable: false, selectable: false, focusable: false,
    ...(className === undefined ? {} : { className }),
  };
}

/** Fits the map into the panel until the user moves it by hand, and again when asked to. */
function useFitted(layout: MapLayout, size: { width: number; height: number }, largest: number) {
  const flow = useRef<ReactFlowInstance<MapNode>>(undefined);
  const moved = useRef(false);
  const { width, height } = layout;
  const fit = useCallback(() => {
    moved.current = false;
    const zoom = Math.min(largest, (size.width - margin.left - margin.right) / width, (size.height - margin.top - margin.bottom) / height);
    if (size.width > 0) void flow.current?.setViewport({ x: margin.left, y: margin.top, zoom: Math.max(0.1, zoom) });
  }, [width, height, size.width, size.height, largest]);
  useEffect(() => {
    if (!moved.current) fit();
  }, [fit]);
  return {
    fit,
    onInit: (instance: ReactFlowInstance<MapNode>) => {
      flow.current = instance;
      fit();
    },
    onMoveStart: (event: MouseEvent | TouchEvent | null) => {
      if (event !== null) moved.current = true;
    },
  };
}
