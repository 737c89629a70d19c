import type { Tone } from '../../worker/protocol.ts';

/** Colours and fonts of the current theme, read once from the tokens and kept until the theme changes. */
export interface Palette {
  state: Record<Exclude<Tone, 'back-off' | 'unknown'>, string>;
  ink1: string;
  ink2: string;
  ink3: string;
  inverse: string;
  fill: string;
  line: string;
  lineStrong: string;
  app: string;
  panel: string;
  sunken: string;
  band: string;
  wash: string;
  ui: string;
  dark: boolean;
}

export type Ctx = CanvasRenderingContext2D;

const widths = new Map<string, number>();

export function readPalette(element: Element): Palette {
  widths.clear();
  const css = getComputedStyle(element);
  const token = (name: string) => css.getPropertyValue(name).trim();
  const state = (name: string) => token(`--state-${name}`);
  return {
    state: {
      pending: state('pending'), starting: state('starting'), ready: state('ready'), 'not-ready': state('not-ready'), failed: state('failed'),
      succeeded: state('succeeded'), terminating: state('terminating'),
    },
    ink1: token('--ink-1'), ink2: token('--ink-2'), ink3: token('--ink-3'), inverse: token('--ink-inverse'), fill: token('--fill-ink'),
    line: token('--line'), lineStrong: token('--line-strong'), app: token('--surface-app'), panel: token('--surface-panel'), sunken: token('--surface-sunken'),
    band: token('--select-band'), wash: token('--select-wash'), ui: token('--font-ui') || 'system-ui', dark: !css.colorScheme.includes('light') || css.colorScheme.includes('dark'),
  };
}

export function hueOf(p: Palette, tone: Tone): string {
  if (tone === 'back-off') return p.state.failed;
  if (tone === 'unknown') return p.state.pending;
  return p.state[tone];
}

/** Text or glyph on a solid fill of a state. */
export const onState = (p: Palette): string => (p.dark ? p.app : '#fff');

export function roundedPath(c: Ctx, x: number, y: number, w: number, h: number, r = 2): void {
  c.beginPath();
  c.roundRect(x, y, w, h, Math.max(0, Math.min(r, w / 2, h / 2)));
}

/** Width of a text in the current font. Remembered, because measuring is the slow part of drawing labels; forgotten when fonts may have changed. */
export function textWidth(c: Ctx, text: string): number {
  const key = `${c.font}|${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (widths.size > 5000) widths.clear();
  const width = c.measureText(text).width;
  widths.set(key, width);
  return width;
}
