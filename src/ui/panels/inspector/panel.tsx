import type { Lane } from '../../../worker/protocol.ts';
import { IconButton } from '../../parts/button.tsx';
import { Glyph } from '../../parts/glyph.tsx';
import { useT } from '../../parts/i18n.ts';
import parts from '../../parts/parts.module.css';
import { subjectOf } from '../../parts/subject.ts';
import { selectLane, useSelectedLane } from '../../store/selection.ts';
import { setView, useView } from '../../store/view.ts';
import styles from './inspector.module.css';
import { messages } from './messages.ts';
import { NodeDetails } from './node.tsx';
import { PodDetails } from './pod.tsx';
import { ServiceDetails } from './service.tsx';
import { WorkloadDetails } from './workload.tsx';

const views: Partial<Record<Lane['kind'], (props: { lane: Lane }) => React.ReactNode>> = { pod: PodDetails, node: NodeDetails, service: ServiceDetails, workload: WorkloadDetails };

/** Everything about the one thing that is selected, at the playhead. */
export function Inspector() {
  const t = useT(messages);
  const lane = useSelectedLane();
  const View = lane === undefined ? undefined : views[lane.kind];
  return (
    <aside className={styles.inspector} aria-label={t('title')} data-panel="inspector" data-keys="">
      {lane === undefined || View === undefined
        ? <div className={parts.empty}><Glyph name="pod" size={20} /><b>{t('nothing-title')}</b><span>{t('nothing-text')}</span></div>
        : <View key={lane.id} lane={lane} />}
    </aside>
  );
}

/** The line above the headline: what kind of thing it is, and its full name. */
export function TopLine({ lane }: { lane: Lane }) {
  const t = useT(messages);
  const full = useView((state) => state.full === 'inspector');
  const subject = subjectOf(lane);
  const name = subject === undefined || subject.namespace === '' ? lane.label : `${subject.namespace}/${subject.name}`;
  return (
    <div className={styles.top}>
      <span lang="en">{subject?.kind ?? lane.kind}</span><span className={`mono clip ${styles.name}`} title={name}>{name}</span>
      <span className="push" />
      <IconButton small look="quiet" label={t(full ? 'shrink' : 'expand')} hint="V" aria-pressed={full} onClick={() => setView({ full: full ? undefined : 'inspector' })}><Glyph name="expand" size={14} /></IconButton>
      <IconButton small look="quiet" label={t('close')} onClick={() => selectLane(undefined)}><Glyph name="close" size={14} /></IconButton>
    </div>
  );
}
