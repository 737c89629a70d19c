import type { PodValue } from '../../../worker/protocol.ts';
import { StateGlyph } from '../../parts/glyph.tsx';
import { useLanguage } from '../../parts/i18n.ts';
import { PodName } from '../../parts/pod-name.tsx';
import { podStatusWords } from '../../parts/status-words.ts';
import { selectPod } from '../../store/selection.ts';
import styles from './inspector.module.css';

export function PodRow({ podUid, name, value, detail }: { podUid: string; name: string; value: PodValue | undefined; detail?: string }) {
  const language = useLanguage();
  const tone = value?.tone ?? 'unknown';
  return (
    <button type="button" className={styles.podrow} data-state={tone} onClick={() => selectPod(podUid)}>
      <StateGlyph tone={tone} size={12} /><PodName name={name} /><span className="push i2 clip">{detail ?? (value === undefined ? '' : podStatusWords(value, language))}</span>
    </button>
  );
}
