import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { cx } from '../../parts/cx.ts';
import { useT } from '../../parts/i18n.ts';
import { activeFile, editorStore, setText, useEditor } from '../../store/editor.ts';
import { Boundary } from './boundary.tsx';
import styles from './editor.module.css';
import { messages } from './messages.ts';

const load = () => import('./monaco/rich.tsx');
const Rich = lazy(load);

const idleMs = 1200;

/** A plain text area at once; the rich editor takes its place when the page is idle. Both hold the same text, caret and label. */
export function Surface({ phone }: { phone: boolean }) {
  const [wanted, setWanted] = useState(false);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    if (phone || document.documentElement.dataset.plainEditor === 'true') return undefined;
    const later = setTimeout(() => whenIdle(() => setWanted(true)), idleMs);
    return () => clearTimeout(later);
  }, [phone]);
  return (
    <>
      {!ready && <Plain />}
      {wanted && (
        <Boundary>
          <Suspense fallback={null}><div className={cx(styles.rich, !ready && styles.hidden)}><Rich onReady={() => setReady(true)} /></div></Suspense>
        </Boundary>
      )}
    </>
  );
}

function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: 3000 });
  else setTimeout(run, 300);
}

function Plain() {
  const t = useT(messages);
  const file = useEditor(activeFile);
  const numbers = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { caret } = editorStore.getState();
    area.current?.setSelectionRange(caret.start, caret.end);
  }, [file?.id]);
  if (file === undefined) return null;
  const remember = () => {
    const element = area.current;
    if (element !== null) editorStore.setState({ caret: { start: element.selectionStart, end: element.selectionEnd, scrollTop: element.scrollTop } });
  };
  return (
    <div className={styles.plain}>
      <div ref={numbers} className={styles.numbers} aria-hidden="true">{Array.from({ length: file.text.split('\n').length }, (_, index) => index + 1).join('\n')}</div>
      <textarea
        ref={area} className={styles.text} value={file.text} aria-label={t('manifest', { name: file.name })} spellCheck={false} autoCapitalize="off" autoComplete="off" autoCorrect="off" wrap="off"
        onChange={(event) => {
          setText(file.id, event.target.value);
          remember();
        }}
        onSelect={remember}
        onScroll={(event) => {
          if (numbers.current !== null) numbers.current.scrollTop = event.currentTarget.scrollTop;
          remember();
        }}
      />
    </div>
  );
}
