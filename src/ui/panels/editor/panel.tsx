import { Button, IconButton } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { Glyph } from '../../parts/glyph.tsx';
import { useT } from '../../parts/i18n.ts';
import { Tabs } from '../../parts/tabs.tsx';
import styles from './editor.module.css';
import { messages } from './messages.ts';
import { ProblemList } from './problems.tsx';
import { ApplyResult } from './result.tsx';
import { Surface } from './surface.tsx';
import { useDrop } from './use-drop.ts';
import { activateFile, activeFile, addFile, applyActive, closeFile, startOver, useEditor } from '../../store/editor.ts';
import { useSession } from '../../store/session.ts';

const starter = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\nspec:\n  containers:\n    - name: app\n      image: nginx:1.27\n`;
const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Manifests as tabs, what is wrong with the one on screen, and Apply. */
export function Editor({ phone = false }: { phone?: boolean }) {
  const t = useT(messages);
  const files = useEditor((state) => state.files);
  const file = useEditor(activeFile);
  const items = files.map(({ id, name, text, applied }) => ({
    id, label: <>{text !== applied && <span className={styles.dirty} role="img" aria-label={t('changed')} />}<span>{name}</span></>,
  }));
  const drop = useDrop();
  const newName = `pod-${files.length + 1}`;
  return (
    <section className={cx(styles.editor, phone && styles.phone)} aria-label={t('title')} data-panel="editor" {...drop.handlers}>
      <Tabs label={t('files')} items={items} active={file?.id} onChange={activateFile} panelId="editor-text" className={styles.tabs} tabClassName={styles.fileTab}>
        <span style={{ display: 'inline-flex' }}>
          {file !== undefined && file.id.startsWith('new-') && <IconButton small look="quiet" label={t('close', { name: file.name })} onClick={() => closeFile(file.id)}><Glyph name="close" size={12} /></IconButton>}
          <IconButton small look="quiet" label={t('add')} onClick={() => addFile(`${newName}.yaml`, starter(newName))}><Glyph name="plus" size={14} /></IconButton>
        </span>
      </Tabs>
      <div className={styles.code} id="editor-text" role={file === undefined ? undefined : 'tabpanel'} {...(file === undefined ? {} : { 'aria-labelledby': `tab-editor-text-${file.id}` })}>
        {file !== undefined && <Surface phone={phone} />}
      </div>
      {drop.refused !== undefined && <div className={styles.applybar} role="alert">{t('refused-file', { name: drop.refused })}</div>}
      <Restored />
      {file !== undefined && <ProblemList file={file} />}
      <ApplyResult />
      <ApplyBar phone={phone} />
    </section>
  );
}

function Restored() {
  const t = useT(messages);
  const restored = useEditor((state) => state.restored);
  if (!restored) return null;
  return <div className={styles.applybar} role="status">{t('restored')}<span className="push" /><Button small look="outline" onClick={startOver}><Glyph name="undo" size={14} />{t('start-over')}</Button></div>;
}

function ApplyBar({ phone }: { phone: boolean }) {
  const t = useT(messages);
  const running = useSession((state) => state.status === 'running');
  const usable = useEditor((state) => (activeFile(state)?.text.trim() ?? '') !== '');
  const changed = useEditor((state) => {
    const file = activeFile(state);
    return file !== undefined && file.text !== file.applied;
  });
  return (
    <div className={styles.applybar}>
      {!phone && <span className={styles.pair} title={t('tab-toggle')} aria-hidden="true"><kbd>{mac ? '⌃⇧' : '⌃'}</kbd><kbd>M</kbd></span>}
      {!phone && <span className="clip">{t('tab-leaves')}</span>}
      <span className="push" />
      <Button look={changed ? 'primary' : 'outline'} disabled={!running || !usable} title={t('apply-hint')} onClick={applyActive}>{t('apply')}{!phone && <kbd>{mac ? '⌘' : 'Ctrl'} ↵</kbd>}</Button>
    </div>
  );
}
