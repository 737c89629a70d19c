import { useMemo, useRef, useState } from 'react';
import { readFile, writeFile } from '../../../share/file.ts';
import { comfortableLength, encodeLink, ShareError, type SharedState } from '../../../share/link.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Glyph } from '../../parts/glyph.tsx';
import { useT } from '../../parts/i18n.ts';
import { cursor, playbackStore } from '../../store/playback.ts';
import { openScenario } from '../../store/scenario.ts';
import { selectionStore } from '../../store/selection.ts';
import { currentSource, sessionStore } from '../../store/session.ts';
import { setView, viewStore } from '../../store/view.ts';
import { messages } from './messages.ts';
import styles from './share.module.css';

/** The picture on screen as data. */
function stateNow(): SharedState | undefined {
  const source = currentSource();
  if (source === undefined) return undefined;
  const { language, theme } = viewStore.getState();
  const { lane } = selectionStore.getState();
  const { example } = sessionStore.getState();
  const { speed } = playbackStore.getState();
  return { ...source, cursor: cursor(), view: { ...(example === undefined ? {} : { example }), ...(lane === undefined ? {} : { lane }), language, theme, speed } };
}

export function Share() {
  const t = useT(messages);
  const [problem, setProblem] = useState<string>();
  const chooser = useRef<HTMLInputElement>(null);
  const state = useMemo(stateNow, []);
  const link = useMemo(() => (state === undefined ? '' : `${location.origin}${location.pathname}${encodeLink(state)}`), [state]);
  const close = () => setView({ dialog: undefined });
  const save = () => {
    if (state === undefined) return;
    const address = URL.createObjectURL(new Blob([writeFile(state)], { type: 'application/json' }));
    const anchor = document.createElement('a');
    anchor.href = address;
    anchor.download = `${state.view.example ?? 'scenario'}.kubelapse.json`;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      const text = await file.text();
      if (/\.ya?ml$/.test(file.name)) await openScenario(text, { playing: true });
      else {
        const { scenario, seed, inputs, cursor: at, view } = readFile(text);
        await openScenario(scenario, { seed, inputs, cursor: at, ...(view.lane === undefined ? {} : { select: view.lane }), ...(view.example === undefined ? {} : { example: view.example }) });
      }
      close();
    } catch (error) {
      setProblem(error instanceof ShareError ? `${error.code} ${error.detail}` : error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Dialog title={t('title')} closeLabel={t('close')} onClose={close}>
      <p>{t('text')}</p>
      <div className={styles.field}>
        <input readOnly value={link} aria-label={t('link')} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton primary text={() => link} label={t('copy')} />
      </div>
      <p className={styles.note}>{link.length > comfortableLength ? t('long', { length: link.length }) : t('characters', { length: link.length })}</p>
      <div className={styles.row}>
        <Button look="outline" onClick={save}>{t('file')}</Button>
        <Button look="outline" onClick={() => chooser.current?.click()}><Glyph name="share" size={14} />{t('open-file')}</Button>
        <input ref={chooser} type="file" accept=".json,.yaml,.yml" hidden onChange={(event) => void open(event.currentTarget.files?.[0])} />
      </div>
      {problem !== undefined && <p className={styles.note} role="alert">{t('bad-file', { detail: problem })}</p>}
    </Dialog>
  );
}
