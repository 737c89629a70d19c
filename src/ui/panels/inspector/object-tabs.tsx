import type { ReactNode } from 'react';
import type { Lane } from '../../../worker/protocol.ts';
import { DescribeView } from '../../parts/describe-view.tsx';
import { useT } from '../../parts/i18n.ts';
import { subjectOf } from '../../parts/subject.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { YamlView } from '../../parts/yaml-view.tsx';
import { setView, useView, type InspectorTab } from '../../store/view.ts';
import styles from './inspector.module.css';
import { messages } from './messages.ts';
import { TopLine } from './panel.tsx';

/** Head, then status, YAML and describe: for everything that is not a pod. */
export function ObjectTabs({ lane, headline, children }: { lane: Lane; headline: ReactNode; children: ReactNode }) {
  const t = useT(messages);
  const wanted = useView((state) => state.inspector);
  const tab: InspectorTab = wanted === 'yaml' || wanted === 'describe' ? wanted : 'status';
  const subject = subjectOf(lane);
  const items = [{ id: 'status' as const, label: t('status') }, { id: 'yaml' as const, label: t('yaml'), lang: 'en' }, { id: 'describe' as const, label: t('describe'), lang: 'en' }];
  return (
    <>
      <div className={styles.head}><TopLine lane={lane} />{headline}</div>
      <Tabs<InspectorTab> label={t('tabs')} items={items} active={tab} onChange={(inspector) => setView({ inspector })} panelId="inspector-tab" />
      <div id="inspector-tab" role="tabpanel" aria-labelledby={`tab-inspector-tab-${tab}`} className={styles.scroll} tabIndex={0}>
        {tab === 'status' && children}
        {tab === 'yaml' && subject !== undefined && <YamlView subject={subject} />}
        {tab === 'describe' && subject !== undefined && <DescribeView subject={subject} />}
      </div>
    </>
  );
}
