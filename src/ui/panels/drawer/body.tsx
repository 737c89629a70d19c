import { useState, type ReactNode } from 'react';
import { Switch } from '../../parts/button.tsx';
import { DescribeView } from '../../parts/describe-view.tsx';
import { allEvents } from '../../parts/event-rows.ts';
import { EventTable } from '../../parts/events-view.tsx';
import { useT } from '../../parts/i18n.ts';
import parts from '../../parts/parts.module.css';
import { subjectOf } from '../../parts/subject.ts';
import { useFilm } from '../../store/film.ts';
import { useCalmCursor } from '../../store/playback.ts';
import { useSelectedLane, useSelectedPod } from '../../store/selection.ts';
import type { DrawerTab } from '../../store/view.ts';
import styles from './drawer.module.css';
import { messages } from './messages.ts';

export function DrawerBody({ tab, lanes, terminal }: { tab: DrawerTab; lanes: ReactNode; terminal: ReactNode }) {
  return (
    <>
      {tab === 'events' && <Events />}
      {tab === 'lanes' && <div id="drawer-body" role="tabpanel" aria-labelledby="tab-drawer-body-lanes" className={styles.body}>{lanes}</div>}
      {tab === 'terminal' && <div id="drawer-body" role="tabpanel" aria-labelledby="tab-drawer-body-terminal" className={styles.terminal}>{terminal}</div>}
      {tab === 'describe' && <div id="drawer-body" role="tabpanel" aria-labelledby="tab-drawer-body-describe" className={styles.body} tabIndex={0}><Describe /></div>}
    </>
  );
}

function Events() {
  const t = useT(messages);
  const film = useFilm();
  const cursor = useCalmCursor();
  const selectedPod = useSelectedPod();
  const [onlySelected, setOnlySelected] = useState(false);
  const [onlyWarnings, setOnlyWarnings] = useState(false);
  const rows = allEvents(film, cursor).filter((row) => (!onlySelected || row.podUid === selectedPod) && (!onlyWarnings || row.value.type === 'Warning'));
  return (
    <>
      <div className={styles.filters}><Switch checked={onlySelected} onChange={setOnlySelected}>{t('only-selected')}</Switch><Switch checked={onlyWarnings} onChange={setOnlyWarnings}>{t('warnings')}</Switch></div>
      <div id="drawer-body" role="tabpanel" aria-labelledby="tab-drawer-body-events" className={styles.body} tabIndex={0}><EventTable rows={rows} now={cursor} selectedPod={selectedPod} /></div>
    </>
  );
}

function Describe() {
  const t = useT(messages);
  const subject = subjectOf(useSelectedLane());
  if (subject === undefined) return <div className={parts.empty}><b>{t('nothing-title')}</b><span>{t('nothing-text')}</span></div>;
  return <DescribeView subject={subject} />;
}
