import { lazy, Suspense, type ReactNode } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { Drawer, DrawerTabs } from '../panels/drawer/panel.tsx';
import { Editor } from '../panels/editor/panel.tsx';
import { Inspector } from '../panels/inspector/panel.tsx';
import { TimelinePanel } from '../panels/timeline/panel.tsx';
import { Transport } from '../panels/transport/panel.tsx';
import { cx } from '../parts/cx.ts';
import { useT } from '../parts/i18n.ts';
import { useView } from '../store/view.ts';
import styles from './app.module.css';
import { messages } from './messages.ts';

export const ClusterMap = lazy(() => import('../panels/cluster-map/panel.tsx').then((module) => ({ default: module.ClusterMapPanel })));
const Lanes = lazy(() => import('../panels/lanes/panel.tsx').then((module) => ({ default: module.Lanes })));
const Terminal = lazy(() => import('../panels/terminal/panel.tsx').then((module) => ({ default: module.TerminalPanel })));

/** The wide layout: editor and cluster above, time below, details at the right. Sizes are kept. */
export function Desk() {
  const t = useT(messages);
  const inspectorOpen = useView((state) => state.inspectorOpen);
  const full = useView((state) => state.full);
  const columns = useDefaultLayout({ id: 'kubelapse.columns', panelIds: inspectorOpen ? ['work', 'inspector'] : ['work'] });
  const rows = useDefaultLayout({ id: 'kubelapse.rows', panelIds: ['upper', 'time'] });
  const upper = useDefaultLayout({ id: 'kubelapse.upper', panelIds: ['editor', 'cluster'] });
  return (
    <main className={styles.body}>
      <Group orientation="horizontal" {...columns} className={styles.body} style={{ height: '100%' }}>
        <Panel id="work" minSize={480}>
          <Group orientation="vertical" {...rows}>
            <Panel id="upper" minSize={220}>
              <Group orientation="horizontal" {...upper}>
                <Panel id="editor" defaultSize={316} minSize={240} groupResizeBehavior="preserve-pixel-size"><div className={styles.cell}><Editor /></div></Panel>
                <Handle label={t('resize-editor')} vertical />
                <Panel id="cluster" minSize={320}><Centre full={full === 'cluster'} /></Panel>
              </Group>
            </Panel>
            <Handle label={t('resize-timeline')} strong />
            <Panel id="time" defaultSize="44.7%" minSize={140} groupResizeBehavior="preserve-pixel-size">
              <Fill full={full === 'timeline'}><Transport /><TimelinePanel /></Fill>
            </Panel>
          </Group>
        </Panel>
        {inspectorOpen && (
          <>
            <Handle label={t('resize-inspector')} vertical />
            <Panel id="inspector" defaultSize={348} minSize={300} groupResizeBehavior="preserve-pixel-size"><Fill full={full === 'inspector'}><Inspector /></Fill></Panel>
          </>
        )}
      </Group>
    </main>
  );
}

function Centre({ full }: { full: boolean }) {
  const t = useT(messages);
  const drawer = useView((state) => state.drawer);
  const layout = useDefaultLayout({ id: 'kubelapse.centre', panelIds: ['map', 'drawer'] });
  const map = <Suspense fallback={<div className={styles.mapWait} />}><ClusterMap /></Suspense>;
  if (drawer === undefined) return <Fill full={full}>{map}<DrawerTabs /></Fill>;
  return (
    <Fill full={full}>
      <Group orientation="vertical" {...layout}>
        <Panel id="map" minSize={90}><div className={styles.cell}>{map}</div></Panel>
        <Handle label={t('resize-drawer')} />
        <Panel id="drawer" defaultSize="48%" minSize={90}><div className={styles.cell}><DrawerTabs /><Drawer lanes={<Lanes />} terminal={<Terminal />} /></div></Panel>
      </Group>
    </Fill>
  );
}

function Fill({ full, children }: { full: boolean; children: ReactNode }) {
  return <div className={cx(styles.cell, full && styles.full)}>{children}</div>;
}

function Handle({ label, vertical = false, strong = false }: { label: string; vertical?: boolean; strong?: boolean }) {
  return <Separator aria-label={label} className={cx(vertical ? styles.vertical : styles.horizontal, strong && styles.strong)} />;
}
