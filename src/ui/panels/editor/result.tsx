import { useState } from 'react';
import { Glyph } from '../../parts/glyph.tsx';
import { useT } from '../../parts/i18n.ts';
import { useSession } from '../../store/session.ts';
import styles from './editor.module.css';
import { messages } from './messages.ts';

/** What kubectl printed when the text was applied. */
export function ApplyResult() {
  const t = useT(messages);
  const result = useSession((state) => state.result);
  const [dismissed, dismiss] = useState(0);
  if (result === undefined || result.input.kind !== 'apply' || result.id === dismissed) return null;
  const failed = (result.exit ?? 0) !== 0;
  const text = [result.stdout.trim(), result.stderr.trim()].filter((part) => part !== '').join('\n');
  return (
    <div className={styles.result} role="status">
      <Glyph name={failed ? 'close' : 'check'} className={failed ? 'bad' : 'i2'} />
      <div>
        <code lang="en">{text === '' ? (result.exit === null ? t('running') : t('exit', { code: result.exit })) : text}</code>
        {result.branch !== undefined && <span className="i3">{t('new-branch')}</span>}
      </div>
      <button type="button" className={styles.close} aria-label={t('dismiss')} onClick={() => dismiss(result.id)}><Glyph name="close" size={10} /></button>
    </div>
  );
}
