import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './parts.module.css';

export interface TabItem<Id extends string> {
  id: Id;
  label: ReactNode;
  lang?: string;
}

interface TabsProps<Id extends string> {
  label: string;
  items: readonly TabItem<Id>[];
  /** Undefined: none is open. */
  active: Id | undefined;
  onChange: (id: Id) => void;
  /** The id of the region that the tabs switch. */
  panelId?: string;
  className?: string | undefined;
  tabClassName?: string | undefined;
  children?: ReactNode;
}

const moves: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A row of tabs. Arrow keys move between them; the open one is the stop of the Tab key. */
export function Tabs<Id extends string>({ label, items, active, onChange, panelId, className, tabClassName, children }: TabsProps<Id>) {
  const row = useRef<HTMLDivElement>(null);
  const stop = Math.max(0, items.findIndex((item) => item.id === active));
  const onKeyDown = (event: KeyboardEvent) => {
    const index = items.findIndex((item) => `tab-${panelId}-${item.id}` === (event.target as HTMLElement).id);
    const target = items[moves[event.key]?.(index, items.length) ?? -1];
    if (index < 0 || target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(target.id);
    row.current?.querySelector<HTMLElement>(`[id="tab-${panelId}-${target.id}"]`)?.focus();
  };
  return (
    <div className={cx(styles.tabs, className)}>
      <div ref={row} role="tablist" aria-label={label} style={{ display: 'contents' }} onKeyDown={onKeyDown}>
        {items.map((item, index) => (
          <button
            key={item.id} type="button" role="tab" id={`tab-${panelId}-${item.id}`} aria-selected={item.id === active} tabIndex={index === stop ? 0 : -1}
            {...(panelId !== undefined && item.id === active ? { 'aria-controls': panelId } : {})} {...(item.lang === undefined ? {} : { lang: item.lang })}
            className={cx(styles.tab, tabClassName)} onClick={() => onChange(item.id)}
          >
            {item.label}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}

export function Count({ children }: { children: ReactNode }) {
  return <span className={styles.count}>{children}</span>;
}
