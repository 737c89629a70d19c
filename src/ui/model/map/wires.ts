import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../film/film.ts';
import { frame, side, type Box } from './geometry.ts';
import { chipBox, type MapLayout } from './layout.ts';

/** From a Service to one of its pods. Live: solid with a filled socket. Withdrawn: dashed, a cross, an empty socket. */
export interface Wire {
  id: string;
  path: string;
  live: boolean;
  socket: { x: number; y: number };
  cross?: { x: number; y: number };
}

/** More wires than this would be a carpet: then only those of the selected pod or Service are drawn. */
const mostWires = 12;

export function wiresAt(film: Film, layout: MapLayout, t: SimTime, selected: { podUid?: string; service?: string }): Wire[] {
  const wires: Wire[] = [];
  const services = film.servicesAt(t);
  const total = services.reduce((sum, service) => sum + service.value.endpoints.length, 0);
  services.forEach((service, order) => {
    const from = layout.services.get(service.lane.id);
    if (from === undefined) return;
    const ends = service.value.endpoints
      .filter((endpoint) => total <= mostWires || endpoint.podUid === selected.podUid || service.lane.id === selected.service)
      .flatMap((endpoint) => {
        const box = chipBox(layout, endpoint.podUid);
        const slot = layout.slots.byPod.get(endpoint.podUid);
        if (box === undefined || slot === undefined || t < slot.from || t >= slot.until) return [];
        const first = isFirst(layout, layout.frames.get(slot.node)?.box, box);
        return [{ endpoint, box, first, entry: first ? box.y + box.h / 2 : box.y - 4 }];
      })
      .toSorted((a, b) => a.entry - b.entry || a.box.x - b.box.x);
    const entries = ends.map(({ entry, first }, index) => entry + (first ? bend(index, ends.length) : lane(ends, index)));
    ends.forEach(({ endpoint, box, first }, index) => {
      const y0 = from.y + from.h / 2 + spread(index, ends.length, from.h);
      const trunk = from.x + from.w + 12 + order * 4 + trunkShift(index, entries, from);
      wires.push(wire(`${service.lane.id}>${endpoint.podUid}`, endpoint.ready, { from, y0, trunk, to: box, entry: entries[index] ?? 0, first }));
    });
  });
  return wires;
}

/** In the first column of the first frame of its line a wire can come straight from the left. */
const isFirst = (layout: MapLayout, frameBox: Box | undefined, box: Box): boolean =>
  frameBox !== undefined && frameBox.x === side.w + side.gap && box.x === frameBox.x + frame.pad && layout.frames.size > 0;

/** Wires that share the aisle above a row of chips lie beside one another. */
function lane(ends: readonly { entry: number; first: boolean }[], index: number): number {
  const before = ends.slice(0, index).filter((end) => !end.first && end.entry === ends[index]?.entry).length;
  return [0, -2, 2, -3, 3][before] ?? 0;
}

/** The first wire ends a little lower, the last one a little higher: their sockets lean towards the Service. */
const bend = (index: number, count: number): number => (count < 2 ? 0 : index === 0 ? 6 : index === count - 1 ? -6 : 0);

function spread(index: number, count: number, height: number): number {
  const step = Math.min(12, (height - 24) / Math.max(1, count - 1));
  return (index - (count - 1) / 2) * step;
}

/** Wires that go up start left to right from the topmost, those that go down from the lowest: none crosses another. */
function trunkShift(index: number, targets: readonly number[], from: Box): number {
  const middle = from.y + from.h / 2;
  const mine = targets[index] ?? 0;
  const outer = targets.filter((y, other) => (mine < middle ? y < middle && other < index : y >= middle && other > index)).length;
  return outer * Math.min(6, 12 / Math.max(1, targets.length - 1));
}

interface Route { from: Box; y0: number; trunk: number; to: Box; entry: number; first: boolean }

function wire(id: string, live: boolean, route: Route): Wire {
  const right = route.from.x + route.from.w;
  const edge = side.w + side.gap;
  const y1 = route.first ? route.entry : route.to.y + route.to.h / 2;
  const socket = { x: route.to.x, y: y1 };
  const stop = live ? (route.first ? route.to.x - 1 : route.to.x - 4) : edge - 14;
  const approach = corner(right, route.y0, route.trunk, route.entry, stop);
  if (!live) return { id, path: approach, live, socket, cross: { x: edge - 8.5, y: route.entry } };
  return { id, path: route.first ? approach : `${approach}V${y1}H${route.to.x - 1}`, live, socket };
}

/** Right, then up or down, then right again, with round corners. */
function corner(x0: number, y0: number, trunk: number, y1: number, x1: number): string {
  const dy = y1 - y0;
  if (Math.abs(dy) < 1) return `M${x0} ${y0}H${x1}`;
  const r = Math.min(6, Math.abs(dy) / 2);
  const sign = Math.sign(dy);
  return `M${x0} ${y0}H${trunk - r}Q${trunk} ${y0} ${trunk} ${y0 + sign * r}V${y1 - sign * r}Q${trunk} ${y1} ${trunk + r} ${y1}H${x1}`;
}
