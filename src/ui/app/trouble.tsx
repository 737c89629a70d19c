import { Component, useState, type ErrorInfo, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { translate, useT } from '../parts/i18n.ts';
import type { ShareError } from '../../share/state.ts';
import { setLinkError, useLinkError } from '../store/link-error.ts';
import { recover, useSession } from '../store/session.ts';
import { saveNow } from '../store/editor.ts';
import { language, viewStore } from '../store/view.ts';
import styles from './app.module.css';
import { messages } from './messages.ts';

/** What went wrong in the page itself: the text is kept, the fault can be reported. */
export class Boundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    saveNow();
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const t = (key: keyof (typeof messages)['en']) => translate(messages, viewStore.getState().language, key);
    const report = `${error.message}\n${error.stack ?? ''}`;
    return (
      <div className={styles.broken} role="alert">
        <h1>{t('ui-broken-title')}</h1>
        <p>{t('ui-broken-text')}</p>
        <pre>{report}</pre>
        <div className={styles.row}>
          <Button look="primary" onClick={() => location.reload()}>{t('reload')}</Button>
          <Button look="outline" onClick={() => void navigator.clipboard.writeText(report)}>{t('copy-report')}</Button>
        </div>
      </div>
    );
  }
}

/** A fault in the engine: what happened, the report that reproduces it, and a way on. */
export function Broken() {
  const t = useT(messages);
  const bug = useSession((state) => state.bug);
  const [copied, setCopied] = useState(false);
  if (bug === undefined) return null;
  const copy = () => void navigator.clipboard.writeText(JSON.stringify(bug, null, 2)).then(() => setCopied(true));
  return (
    <div className={styles.banner} role="alertdialog" aria-labelledby="bug-title" aria-modal="true">
      <div className={styles.card}>
        <h1 id="bug-title">{t('broken-title')}</h1>
        <p>{t('broken-text')}</p>
        <div className={styles.broken} style={{ height: 'auto', padding: '12px 0 0', width: '100%' }}><pre>{bug.message}</pre></div>
        <div className={styles.row}>
          <Button look="primary" onClick={recover} autoFocus>{t('restart')}</Button>
          <Button look="outline" onClick={copy}>{copied ? t('copied') : t('copy-report')}</Button>
        </div>
      </div>
    </div>
  );
}

const texts: Record<ShareError['code'], keyof (typeof messages)['en']> = {
  damaged: 'link-text-damaged', 'not-a-link': 'link-text-damaged', 'unknown-version': 'link-text-version', 'too-large': 'link-text-large', incomplete: 'link-text-incomplete',
};

/** The link in the address could not be opened; behind this note an example is open. */
export function BadLink() {
  const t = useT(messages);
  const error = useLinkError();
  if (error === undefined) return null;
  return (
    <div className={styles.banner} role="alertdialog" aria-labelledby="link-title" aria-modal="true" lang={language() === 'zh' ? 'zh-CN' : 'en'}>
      <div className={styles.card}>
        <h1 id="link-title">{t(error.code === 'unknown-version' ? 'link-version-title' : 'link-title')}</h1>
        <p>{t(texts[error.code], { length: location.hash.length, detail: error.detail })}</p>
        <div className={styles.row}>
          <Button
            look="primary" autoFocus
            onClick={() => {
              setLinkError(undefined);
              history.replaceState(null, '', location.pathname + location.search);
            }}
          >
            {t('open-example')}
          </Button>
        </div>
      </div>
    </div>
  );
}
