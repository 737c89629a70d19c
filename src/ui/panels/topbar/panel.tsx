import { Button, IconButton, Rule } from '../../parts/button.tsx';
import { Glyph } from '../../parts/glyph.tsx';
import { useT } from '../../parts/i18n.ts';
import { LanguageSwitch } from '../../parts/language-switch.tsx';
import { useFilm } from '../../store/film.ts';
import { setView, useView } from '../../store/view.ts';
import { ExampleMenu } from './example-menu.tsx';
import { messages } from './messages.ts';
import styles from './topbar.module.css';

const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

export function TopBar() {
  const t = useT(messages);
  const seed = useFilm().seed;
  const theme = useView((state) => state.theme);
  const presenter = useView((state) => state.presenter);
  return (
    <header className={styles.bar} data-panel="topbar">
      <span className={styles.left}><h1 className={styles.brand}><Glyph name="mark" />Kubelapse</h1>
      <ExampleMenu /></span>
      <button type="button" className={styles.search} aria-haspopup="dialog" onClick={() => setView({ dialog: 'palette' })}>
        <Glyph name="search" size={14} /><span>{t('search')}</span><kbd>{mac ? '⌘' : 'Ctrl'}</kbd><kbd>K</kbd>
      </button>
      <span className={styles.right}>
      <span className={styles.version} title={t('version-hint')}>v1.37<i>·</i>{t('seed', { seed })}</span>
      <Rule />
      <Button aria-haspopup="dialog" aria-label={t('share')} onClick={() => setView({ dialog: 'share' })}><Glyph name="share" /><span className={styles.word}>{t('share')}</span></Button>
      <Button aria-pressed={presenter} aria-label={t(presenter ? 'end-present' : 'present')} onClick={() => setView({ presenter: !presenter })}><Glyph name="present" /><span className={styles.word}>{t('present')}</span></Button>
      <Rule />
      <LanguageSwitch label={t('language')} />
      <IconButton className={styles.theme} label={t('theme')} onClick={() => setView({ theme: theme === 'dark' ? 'light' : 'dark' })}><Glyph name="theme" /></IconButton>
      </span>
    </header>
  );
}
