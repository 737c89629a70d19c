/** A rectangle in map pixels. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export type Density = 'full' | 'compact' | 'square';

export interface ChipSize {
  w: number;
  h: number;
  gap: number;
}

export const chipSizes: Record<Density, ChipSize> = {
  full: { w: 160, h: 100, gap: 8 },
  compact: { w: 160, h: 36, gap: 6 },
  square: { w: 22, h: 22, gap: 4 },
};

export const side = { w: 156, gap: 36, boxGap: 14 };
export const frame = { pad: 10, head: 60, gap: 14, note: 20, minW: 190 };
export const queueBox = { full: 145, pad: 8, title: 24, chipH: 36 };
export const serviceBox = { tall: 76, short: 40 };
export const clientBox = { h: 68 };

/** Over so many pods the map shows squares and nothing else. */
export const onlySquaresAt = 300;

/** The least magnification at which a density is still readable; over so many pods it is not tried. */
export const readable: Record<Density, { scale: number; pods: number }> = {
  full: { scale: 0.78, pods: 60 },
  compact: { scale: 0.7, pods: 150 },
  square: { scale: 0, pods: Infinity },
};
