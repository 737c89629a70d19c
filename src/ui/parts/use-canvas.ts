import { useEffect, useState, type RefObject } from 'react';
import { readPalette, type Palette } from './palette.ts';

/** The theme's colours for a canvas; read again when the theme, the contrast or the fonts change. */
export function usePalette(ref: RefObject<Element | null>): Palette | undefined {
  const [palette, setPalette] = useState<Palette>();
  useEffect(() => {
    const read = () => {
      if (ref.current !== null) setPalette(readPalette(ref.current));
    };
    read();
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style', 'lang'] });
    const queries = ['(prefers-contrast: more)', '(forced-colors: active)', '(prefers-color-scheme: dark)'].map((query) => matchMedia(query));
    for (const query of queries) query.addEventListener('change', read);
    void document.fonts.ready.then(read);
    document.fonts.addEventListener('loadingdone', read);
    return () => {
      observer.disconnect();
      document.fonts.removeEventListener('loadingdone', read);
      for (const query of queries) query.removeEventListener('change', read);
    };
  }, [ref]);
  return palette;
}

export interface Size { width: number; height: number; ratio: number }

/** Size of an element in CSS pixels and the pixel ratio of its screen. */
export function useSize(ref: RefObject<Element | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0, ratio: 1 });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => {
      const box = element.getBoundingClientRect();
      const next = { width: Math.round(box.width), height: Math.round(box.height), ratio: devicePixelRatio || 1 };
      setSize((old) => (old.width === next.width && old.height === next.height && old.ratio === next.ratio ? old : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [ref]);
  return size;
}

/** A context whose unit is one CSS pixel. Sets the backing size only when it changed: setting it clears the canvas. */
export function prepare(canvas: HTMLCanvasElement, size: Size): CanvasRenderingContext2D | null {
  const [width, height] = [Math.round(size.width * size.ratio), Math.round(size.height * size.ratio)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext('2d');
  context?.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  if (context !== null) context.fontVariantCaps = 'normal';
  return context;
}
