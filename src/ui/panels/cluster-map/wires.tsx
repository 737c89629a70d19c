import { memo } from 'react';
import { wiresAt } from '../../model/map/wires.ts';
import { useMap, useMapReader, type MapState } from './context.ts';
import styles from './map.module.css';

/** All wires in one drawing above the frames: solid serves, dashed with a cross is withdrawn. */
export const Wires = memo(function Wires() {
  useMap(wireStamp);
  const layout = useMap((state) => state.layout);
  const selectedPod = useMap((state) => state.selectedPod);
  const selectedLane = useMap((state) => state.selectedLane);
  const read = useMapReader();
  if (layout.density === 'square') return null;
  const { film, cursor } = read();
  const wires = wiresAt(film, layout, cursor, { ...(selectedPod === undefined ? {} : { podUid: selectedPod }), ...(selectedLane === undefined ? {} : { service: selectedLane }) });
  return (
    <svg className={styles.wires} width="1" height="1" aria-hidden="true">
      <ClientArrows />
      {wires.map((wire) => (
        <g key={wire.id} data-live={wire.live ? '' : undefined} className={styles.wire}>
          <path d={wire.path} fill="none" strokeWidth="1.5" strokeDasharray={wire.live ? undefined : '3 3'} />
          {wire.cross !== undefined && <path className={styles.cross} d={`M${wire.cross.x - 3} ${wire.cross.y - 3}l6 6m0-6l-6 6`} strokeWidth="1.5" strokeLinecap="round" />}
          {wire.live
            ? <circle className={styles.plug} cx={wire.socket.x} cy={wire.socket.y} r="3.5" strokeWidth="1.5" />
            : <circle className={styles.emptySocket} cx={wire.socket.x} cy={wire.socket.y} r="3" strokeWidth="1.5" />}
        </g>
      ))}
    </svg>
  );
});

/** Changes when any Service's endpoints change or a pod comes or goes from its slot. */
function wireStamp(state: MapState): string {
  let stamp = `${state.film.branch}/`;
  for (const data of state.film.lanesOfKind('service')) stamp += `${state.film.spanOf(data, state.cursor)?.from ?? '-'},`;
  for (const { lane, value } of state.film.servicesAt(state.cursor)) for (const end of value.endpoints) stamp += state.film.valueAt(`pod/${end.podUid}`, state.cursor) === undefined ? '0' : lane.index;
  return stamp;
}

/** From each client up to the Service above it. */
function ClientArrows() {
  const layout = useMap((state) => state.layout);
  const last = [...layout.services.values()].at(-1);
  if (last === undefined) return null;
  return [...layout.clients.entries()].map(([id, box]) => {
    const x = box.x + box.w / 2;
    const tip = last.y + last.h;
    return (
      <g key={id}>
        <path d={`M${x} ${box.y}V${tip + 6}`} stroke="var(--ink-3)" fill="none" strokeWidth="1.25" />
        <path d={`M${x - 3.5} ${tip + 7}l3.5-5 3.5 5Z`} fill="var(--ink-3)" />
      </g>
    );
  }).slice(0, 1);
}
