/** A symbol of the page's sprite. */
export function Glyph({ name, className }: { name: string; className?: string | undefined }) {
  return <svg className={`g ${className ?? ''}`} aria-hidden="true"><use href={`#g-${name}`} /></svg>;
}

export const toneGlyph = (tone: string): string => `state-${tone === 'succeeded' ? 'completed' : tone}`;
