import { useEffect, useRef, useState } from 'react';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useT } from '../../parts/i18n.ts';
import { messages } from './messages.ts';
import { kubectlTerminal } from './terminal.ts';
import styles from './terminal.module.css';

/** kubectl at the time of the playhead. */
export function TerminalPanel() {
  const t = useT(messages);
  const host = useRef<HTMLDivElement>(null);
  const [tabLeaves, setTabLeaves] = useState(false);
  useEffect(() => {
    const place = host.current as HTMLDivElement;
    const terminal = kubectlTerminal();
    let frame = 0;
    let alive = true;
    const resized = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => terminal.fit());
    });
    setTabLeaves(terminal.tabLeaves);
    const stop = terminal.onTabLeaves(setTabLeaves);
    // A cell is as wide as the font says: measured before the font is there it would stay wrong.
    void document.fonts.load('12px "JetBrains Mono Variable"').then(() => document.fonts.ready).then(() => {
      if (!alive) return;
      terminal.attach(place);
      resized.observe(place);
      // Who comes with the arrow keys goes on along the tabs; who clicked wants to type.
      const focused = document.activeElement;
      if (focused === document.body || (focused?.id === 'tab-drawer-body-terminal' && !focused.matches(':focus-visible'))) terminal.screen.focus();
    });
    return () => {
      alive = false;
      cancelAnimationFrame(frame);
      resized.disconnect();
      stop();
      terminal.screen.detach();
    };
  }, []);
  return (
    <section className={styles.terminal} aria-label={t('title')} data-panel="terminal">
      <div ref={host} className={styles.screen} lang="en" />
      <div className={styles.bar}>
        <button type="button" className={styles.toggle} aria-pressed={tabLeaves} title={t('tab-toggle')} onClick={() => kubectlTerminal().toggleTab()}>
          <span className={styles.pair} aria-hidden="true"><kbd>⌃</kbd><kbd>M</kbd></span>{t(tabLeaves ? 'tab-leaves' : 'tab-completes')}
        </button>
        <span className="push" />
        <CopyButton text={() => kubectlTerminal().text()} label={t('copy')} />
      </div>
    </section>
  );
}
