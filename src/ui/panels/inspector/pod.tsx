import type { Lane, PodValue } from '../../../worker/protocol.ts';
import { clock } from '../../model/format.ts';
import { DescribeView } from '../../parts/describe-view.tsx';
import { podEvents } from '../../parts/event-rows.ts';
import { EventList } from '../../parts/events-view.tsx';
import { useLanguage, useT } from '../../parts/i18n.ts';
import { podStatusWords } from '../../parts/status-words.ts';
import { subjectOf } from '../../parts/subject.ts';
import { Count, Tabs } from '../../parts/tabs.tsx';
import { YamlView } from '../../parts/yaml-view.tsx';
import { useFilm } from '../../store/film.ts';
import { useCalmCursor } from '../../store/playback.ts';
import { setView, useView, type InspectorTab } from '../../store/view.ts';
import { Headline } from './headline.tsx';
import styles from './inspector.module.css';
import { Logs } from './logs.tsx';
import { messages } from './messages.ts';
import { TopLine } from './panel.tsx';
import { PodStatus } from './status.tsx';
import { Why } from './why.tsx';

export function PodDetails({ lane }: { lane: Lane }) {
  const t = useT(messages);
  const tab = useView((state) => state.inspector);
  const film = useFilm();
  const cursor = useCalmCursor();
  const podUid = lane.podUid ?? '';
  const rows = podEvents(film, podUid, cursor);
  const count = rows.reduce((sum, row) => sum + row.value.count, 0);
  const subject = subjectOf(lane);
  const items = [
    { id: 'status' as const, label: t('status') }, { id: 'events' as const, label: <>{t('events')} <Count>{count}</Count></> }, { id: 'logs' as const, label: t('logs') },
    { id: 'yaml' as const, label: t('yaml'), lang: 'en' }, { id: 'describe' as const, label: t('describe'), lang: 'en' },
  ];
  return (
    <>
      <div className={styles.head}><TopLine lane={lane} /><PodHeadline lane={lane} /></div>
      {tab === 'status' && <Why lane={lane} />}
      <Tabs<InspectorTab> label={t('tabs')} items={items} active={tab} onChange={(inspector) => setView({ inspector })} panelId="inspector-tab" />
      <div id="inspector-tab" role="tabpanel" aria-labelledby={`tab-inspector-tab-${tab}`} className={tab === 'logs' ? styles.tab : styles.scroll} {...(tab === 'status' ? { tabIndex: 0 } : {})}>
        {tab === 'status' && <PodStatus podUid={podUid} lane={lane} />}
        {tab === 'events' && <EventList rows={rows} now={cursor} />}
        {tab === 'logs' && <Logs podUid={podUid} />}
        {tab === 'yaml' && subject !== undefined && <YamlView subject={subject} />}
        {tab === 'describe' && subject !== undefined && <DescribeView subject={subject} />}
      </div>
    </>
  );
}

function PodHeadline({ lane }: { lane: Lane }) {
  const t = useT(messages);
  const language = useLanguage();
  const film = useFilm();
  const cursor = useCalmCursor();
  const value = film.valueAt(lane.id, cursor) as PodValue | undefined;
  if (value === undefined) {
    const first = film.lanes.get(lane.id)?.spans.at[0] ?? 0;
    const last = film.lanes.get(lane.id)?.spans.at.at(-1) ?? 0;
    return cursor < first ? <Headline tone="pending" title={t('not-yet')} detail={t('exists-from', { from: clock(first) })} /> : <Headline tone="unknown" title={t('gone')} detail={t('gone-at', { at: clock(last) })} />;
  }
  const restarts = value.restarts === 1 ? t('restarts-one') : t('restarts', { count: value.restarts });
  const summary = t('summary', { phase: value.phase, ready: `${value.ready}/${value.total}`, restarts });
  return <Headline tone={value.tone} title={podStatusWords(value, language)} detail={value.node === undefined ? summary : `${summary}${language === 'zh' ? '，' : ', '}${value.node}`} />;
}
