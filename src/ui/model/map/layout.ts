import type { Film } from '../film/film.ts';
import { chipSizes, clientBox, frame, onlySquaresAt, queueBox, readable, serviceBox, side, type Box, type Density } from './geometry.ts';
import { slotsOf, type Slots } from './slots.ts';

export interface FramePlace {
  box: Box;
  columns: number;
  rows: number;
  /** Chips share the width of their frame. */
  chipW: number;
}

/** Places that depend on the film's extent and the panel's size, never on the cursor. */
export interface MapLayout {
  density: Density;
  width: number;
  height: number;
  queue: Box;
  services: Map<string, Box>;
  clients: Map<string, Box>;
  frames: Map<string, FramePlace>;
  slots: Slots;
}

export interface LayoutOptions {
  width: number;
  height: number;
  density: Density | 'auto';
  /** The largest magnification: a projector may have more than 1. */
  largest?: number;
}

export function layoutMap(film: Film, options: LayoutOptions): MapLayout {
  const slots = slotsOf(film);
  const names = film.lanesOfKind('node').map((data) => data.lane.label);
  const sizes = names.map((name) => slots.sizes.get(name) ?? 0);
  const sideHeight = sideNeeds(film);
  const { density, shape } = bestDensity(sizes, slots.peak, options, sideHeight);
  const frames = placeFrames(names, slots, density, shape, Math.max(options.height / shape.scale, sideHeight));
  const extent = [...frames.values()].reduce((size, { box }) => ({ w: Math.max(size.w, box.x + box.w), h: Math.max(size.h, box.y + box.h) }), { w: side.w, h: 0 });
  const height = Math.max(extent.h, sideHeight, Math.min(options.height, options.height / shape.scale));
  return { density, width: extent.w, height, frames, slots, ...placeSide(film, height) };
}

/** The user's choice, else the richest density that can still be read. */
function bestDensity(sizes: readonly number[], pods: number, options: LayoutOptions, sideHeight: number): { density: Density; shape: Shape } {
  const shaped = (density: Density) => ({ density, shape: bestShape(sizes, density, options, sideHeight) });
  if (pods > onlySquaresAt) return shaped('square');
  if (options.density !== 'auto') return shaped(options.density);
  for (const density of ['full', 'compact'] as const) {
    const found = pods <= readable[density].pods ? shaped(density) : undefined;
    if (found !== undefined && found.shape.scale >= readable[density].scale) return found;
  }
  return shaped('square');
}

export interface Shape {
  /** Chips below one another in a frame. */
  rows: number;
  /** Frames below one another. */
  lines: number;
  scale: number;
}

/** So little shrinking is not worth another shape. */
const slack = 1.04;

/** Tries shapes and takes the one that needs the least shrinking; of equal ones the flattest. */
export function bestShape(sizes: readonly number[], density: Density, room: { width: number; height: number; largest?: number }, sideHeight: number): Shape {
  const chip = chipSizes[density];
  const most = Math.max(1, ...sizes);
  let best: Shape = { rows: most, lines: 1, scale: 0 };
  const fitting = Math.max(1, Math.floor((room.height * slack - frame.head - frame.pad + chip.gap) / (chip.h + chip.gap)));
  for (const rows of candidates(most, fitting)) {
    const widths = sizes.map((size) => frameWidth(columnsFor(size, rows), density));
    for (let lines = 1; lines <= Math.max(1, Math.min(sizes.length, 24)); lines += 1) {
      const perLine = Math.max(1, Math.ceil(sizes.length / lines));
      let widest = 0;
      for (let at = 0; at < widths.length; at += perLine) {
        const line = widths.slice(at, at + perLine);
        widest = Math.max(widest, line.reduce((sum, w) => sum + w, 0) + frame.gap * (line.length - 1));
      }
      const w = side.w + side.gap + widest;
      const h = Math.max(sideHeight, lines * frameHeight(rows, density) + (lines - 1) * frame.gap);
      const scale = Math.min(room.largest ?? 1, room.width / w, room.height / h);
      if (scale > best.scale * slack) best = { rows, lines, scale };
    }
  }
  return best;
}

/** First as many rows as fit, then fewer and more. */
function candidates(most: number, fitting: number): number[] {
  const first = Math.min(most, fitting);
  const rest = Array.from({ length: Math.min(most, 40) }, (_, index) => index + 1).filter((rows) => rows !== first);
  return [first, ...rest];
}

const columnsFor = (size: number, rows: number): number => Math.max(1, Math.ceil(size / rows));

function frameWidth(columns: number, density: Density): number {
  const chip = chipSizes[density];
  return Math.max(frame.minW, 2 * frame.pad + columns * (chip.w + chip.gap) - chip.gap);
}

function frameHeight(rows: number, density: Density): number {
  const chip = chipSizes[density];
  return frame.head + rows * (chip.h + chip.gap) - chip.gap + frame.pad;
}

function placeFrames(names: string[], slots: Slots, density: Density, shape: Shape, height: number): Map<string, FramePlace> {
  const frames = new Map<string, FramePlace>();
  const perLine = Math.max(1, Math.ceil(names.length / shape.lines));
  const h = shape.lines === 1 ? Math.max(frameHeight(shape.rows, density), height) : frameHeight(shape.rows, density);
  let x = side.w + side.gap;
  names.forEach((name, index) => {
    if (index % perLine === 0) x = side.w + side.gap;
    const columns = columnsFor(slots.sizes.get(name) ?? 0, shape.rows);
    const w = frameWidth(columns, density);
    frames.set(name, { box: { x, y: Math.floor(index / perLine) * (h + frame.gap), w, h }, columns: gridColumns(w, density, columns), rows: shape.rows, chipW: chipWidth(w, density, columns) });
    x += w + frame.gap;
  });
  return frames;
}

function chipWidth(w: number, density: Density, columns: number): number {
  const chip = chipSizes[density];
  return density === 'square' ? chip.w : (w - 2 * frame.pad + chip.gap) / columns - chip.gap;
}

/** Squares fill the width that the frame has anyway. */
function gridColumns(w: number, density: Density, columns: number): number {
  if (density !== 'square') return columns;
  const chip = chipSizes[density];
  return Math.max(columns, Math.floor((w - 2 * frame.pad + chip.gap) / (chip.w + chip.gap)));
}

const isTall = (film: Film): boolean => film.lanesOfKind('service').length <= 2;
const serviceHeight = (film: Film): number => (isTall(film) ? serviceBox.tall : serviceBox.short);

function sideNeeds(film: Film): number {
  const services = film.lanesOfKind('service').length * (serviceHeight(film) + side.boxGap);
  const clients = film.lanesOfKind('requests').length * (clientBox.h + side.boxGap);
  return queueBox.full + side.boxGap + services + clients;
}

function placeSide(film: Film, height: number): Pick<MapLayout, 'queue' | 'services' | 'clients'> {
  const queue: Box = { x: 0, y: 0, w: side.w, h: queueBox.full };
  const services = new Map<string, Box>();
  let y = queue.h + side.boxGap + 4;
  for (const { lane } of film.lanesOfKind('service')) {
    services.set(lane.id, { x: 0, y, w: side.w, h: serviceHeight(film) });
    y += serviceHeight(film) + side.boxGap;
  }
  const clients = new Map<string, Box>();
  const lanes = film.lanesOfKind('requests');
  lanes.forEach(({ lane }, index) => {
    clients.set(lane.id, { x: 0, y: Math.max(y + index * (clientBox.h + side.boxGap), height - (lanes.length - index) * (clientBox.h + side.boxGap) + side.boxGap), w: side.w, h: clientBox.h });
  });
  return { queue, services, clients };
}

/** The place of a pod on its node. */
export function chipBox(layout: MapLayout, podUid: string): Box | undefined {
  const slot = layout.slots.byPod.get(podUid);
  const place = slot === undefined ? undefined : layout.frames.get(slot.node);
  if (slot === undefined || place === undefined) return undefined;
  const chip = chipSizes[layout.density];
  const column = slot.index % place.columns;
  const row = Math.floor(slot.index / place.columns);
  return { x: place.box.x + frame.pad + column * (place.chipW + chip.gap), y: place.box.y + frame.head + row * (chip.h + chip.gap), w: place.chipW, h: chip.h };
}
