import type { Tone } from '../../../worker/protocol.ts';
import { StateGlyph } from '../../parts/glyph.tsx';
import parts from '../../parts/parts.module.css';
import styles from './inspector.module.css';

export function Headline({ tone, title, detail }: { tone: Tone; title: string; detail: string }) {
  return (
    <div className={styles.headline}>
      <span className={`${parts.gbox} ${styles.box}`} data-state={tone}><StateGlyph key={tone} tone={tone} size={20} /></span>
      <div><h2>{title}</h2><p>{detail}</p></div>
    </div>
  );
}
