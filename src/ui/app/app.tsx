import { lazy, Suspense, useEffect } from 'react';
import { usePhone } from './use-phone.ts';
import { useShortcuts } from './shortcuts.ts';
import { ClusterMap, Desk } from './desk.tsx';
import { BadLink, Boundary, Broken } from './trouble.tsx';
import { Live } from './live.tsx';
import styles from './app.module.css';
import { Editor } from '../panels/editor/panel.tsx';
import { Inspector } from '../panels/inspector/panel.tsx';
import { TopBar } from '../panels/topbar/panel.tsx';
import { TimelinePanel } from '../panels/timeline/panel.tsx';
import { startTicker } from '../playback/ticker.ts';
import { saveNow } from '../store/editor.ts';
import { useView } from '../store/view.ts';

const Phone = lazy(() => import('../panels/phone/panel.tsx').then((module) => ({ default: module.Phone })));
const Presenter = lazy(() => import('../panels/presenter/panel.tsx').then((module) => ({ default: module.Presenter })));
const Palette = lazy(() => import('../panels/palette/panel.tsx').then((module) => ({ default: module.Palette })));
const Share = lazy(() => import('../panels/share/panel.tsx').then((module) => ({ default: module.Share })));
const Keys = lazy(() => import('../panels/keys/panel.tsx').then((module) => ({ default: module.Keys })));

export function App() {
  const dialog = useView((state) => state.dialog);
  useEffect(startTicker, []);
  useShortcuts();
  useEffect(() => {
    const save = () => saveNow();
    window.addEventListener('pagehide', save);
    return () => window.removeEventListener('pagehide', save);
  }, []);
  return (
    <Boundary>
      <Layout />
      <Suspense fallback={null}>
        {dialog === 'palette' && <Palette />}
        {dialog === 'share' && <Share />}
        {dialog === 'keys' && <Keys />}
      </Suspense>
      <Live />
      <Broken />
      <BadLink />
    </Boundary>
  );
}

function Layout() {
  const phone = usePhone();
  const presenter = useView((state) => state.presenter);
  if (phone) return <Suspense fallback={null}><Phone editor={<Editor phone />} details={<Inspector />} /></Suspense>;
  if (presenter) return <Suspense fallback={null}><Presenter map={<ClusterMap bare />} timeline={<TimelinePanel />} /></Suspense>;
  return <div className={styles.app}><TopBar /><Desk /></div>;
}
