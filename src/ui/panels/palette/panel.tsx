import { useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Dialog } from '../../parts/dialog.tsx';
import { Glyph } from '../../parts/glyph.tsx';
import { useLanguage, useT } from '../../parts/i18n.ts';
import { setView } from '../../store/view.ts';
import { search, type Entry } from './entries.ts';
import { messages } from './messages.ts';
import styles from './palette.module.css';

/** One box for everything: objects, moments, commands, examples. */
export function Palette() {
  const t = useT(messages);
  const language = useLanguage();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => search(query.trim(), t, language), [query, t, language]);
  const entries = groups.flatMap((group) => group.entries);
  const index = Math.min(active, entries.length - 1);
  const close = () => setView({ dialog: undefined });
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    close();
    entry.run();
  };
  const move = (by: number) => {
    const next = (index + by + entries.length) % Math.max(1, entries.length);
    setActive(next);
    requestAnimationFrame(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = { ArrowDown: () => move(1), ArrowUp: () => move(-1), Enter: () => run(entries[index]) }[event.key];
    if (act === undefined || event.nativeEvent.isComposing) return;
    event.preventDefault();
    act();
  };
  return (
    <Dialog bare title={t('title')} closeLabel={t('close')} onClose={close}>
      <div className={styles.query}>
        <Glyph name="search" className="i3" />
        <input
          autoFocus role="combobox" aria-expanded aria-controls="palette-list" aria-autocomplete="list" aria-activedescendant={entries.length === 0 ? undefined : `palette-${index}`} aria-label={t('title')} placeholder={t('placeholder')} value={query} spellCheck={false}
          onChange={(event) => {
            setQuery(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <span role="status">{query === '' ? '' : entries.length === 1 ? t('one-result') : t('results', { count: entries.length })}</span>
      </div>
      <div ref={list} id="palette-list" role="listbox" aria-label={t('title')} className={styles.list}>
        {entries.length === 0 && <p className={styles.nothing}>{t('nothing')}</p>}
        {groups.map((group) => (
          <div key={group.id} role="group" aria-label={t(group.id)} className={styles.group}>
            <span className={styles.eyebrow} aria-hidden="true">{t(group.id)}</span>
            {group.entries.map((entry) => {
              const at = entries.indexOf(entry);
              return (
                <div key={entry.id} id={`palette-${at}`} role="option" aria-selected={at === index} className={styles.row} data-state={entry.state} onPointerMove={() => setActive(at)} onClick={() => run(entry)}>
                  <Glyph name={entry.icon} className={entry.tone} /><span className="clip">{marked(entry.text, query.trim())}</span><small>{entry.sub}</small>
                  <span className="push" style={{ display: 'inline-flex', gap: 3 }}>{entry.keys?.map((key) => <kbd key={key}>{key}</kbd>)}</span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <div className={styles.foot} aria-hidden="true">
        <span><kbd>↑</kbd><kbd>↓</kbd>{t('move')}</span><span><kbd>↵</kbd>{t('open')}</span><span className="push"><kbd>esc</kbd>{t('close')}</span>
      </div>
    </Dialog>
  );
}

/** Underlines the first place of the query's first word. */
function marked(text: string, query: string): ReactNode {
  const word = query.split(/\s+/)[0] ?? '';
  const at = word === '' ? -1 : text.toLowerCase().indexOf(word.toLowerCase());
  if (at < 0) return text;
  return <>{text.slice(0, at)}<mark>{text.slice(at, at + word.length)}</mark>{text.slice(at + word.length)}</>;
}
