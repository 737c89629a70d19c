import type { Tone } from '../../worker/protocol.ts';
import { cx } from './cx.ts';

/** A symbol of the page's sprite. Decoration: its meaning stands beside it as a word. */
export function Glyph({ name, size = 16, className }: { name: string; size?: 10 | 12 | 14 | 16 | 20; className?: string | undefined }) {
  return <svg className={cx('g', size !== 16 && `g${size}`, className)} aria-hidden="true"><use href={`#g-${name}`} /></svg>;
}

/** The silhouette of a state. */
export function StateGlyph({ tone, size, className }: { tone: Tone; size?: 10 | 12 | 14 | 16 | 20; className?: string }) {
  return <Glyph name={`state-${tone === 'succeeded' ? 'completed' : tone}`} {...(size === undefined ? {} : { size })} className={className} />;
}
