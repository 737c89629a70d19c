import { lazy, Suspense, type ReactNode } from 'react';
import { cx } from '../../parts/cx.ts';
import { useT } from '../../parts/i18n.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { setView, toggleDrawer, useView, type DrawerTab } from '../../store/view.ts';
import styles from './drawer.module.css';
import { messages } from './messages.ts';

const Body = lazy(() => import('./body.tsx').then((module) => ({ default: module.DrawerBody })));

/** The row of tabs under the map; a second click on the open one closes it. */
export function DrawerTabs() {
  const t = useT(messages);
  const drawer = useView((state) => state.drawer);
  const items = [{ id: 'lanes' as const, label: t('lanes') }, { id: 'terminal' as const, label: t('terminal') }, { id: 'events' as const, label: t('events') }, { id: 'describe' as const, label: t('describe'), lang: 'en' }];
  return (
    <Tabs<DrawerTab> label={t('title')} items={items} active={drawer} onChange={(tab) => toggleDrawer(tab)} panelId="drawer-body" className={cx(styles.tabs, drawer !== undefined && styles.open)} tabClassName={styles.tab}>
      <button type="button" className={styles.toggle} aria-expanded={drawer !== undefined} onClick={() => setView({ drawer: drawer === undefined ? 'events' : undefined })}>{t(drawer === undefined ? 'show' : 'hide')}<kbd>Q</kbd></button>
    </Tabs>
  );
}

/** `lanes` and `terminal`: panels of their own, put in by the page. */
export function Drawer({ lanes, terminal }: { lanes: ReactNode; terminal: ReactNode }) {
  const drawer = useView((state) => state.drawer);
  if (drawer === undefined) return null;
  return <Suspense fallback={<div className={styles.body} />}><Body tab={drawer} lanes={lanes} terminal={terminal} /></Suspense>;
}
