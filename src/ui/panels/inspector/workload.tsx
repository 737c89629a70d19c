import type { Lane, WorkloadValue } from '../../../worker/protocol.ts';
import { useT } from '../../parts/i18n.ts';
import { useFilm } from '../../store/film.ts';
import { useCalmCursor } from '../../store/playback.ts';
import { subjectOf } from '../../parts/subject.ts';
import { Headline } from './headline.tsx';
import styles from './inspector.module.css';
import { messages } from './messages.ts';
import { ObjectTabs } from './object-tabs.tsx';
import { PodRow } from './pod-row.tsx';

export function WorkloadDetails({ lane }: { lane: Lane }) {
  const t = useT(messages);
  const film = useFilm();
  const cursor = useCalmCursor();
  const value = film.valueAt(lane.id, cursor) as WorkloadValue | undefined;
  const subject = subjectOf(lane);
  const owner = `${subject?.kind ?? ''}/${subject?.name ?? ''}`;
  const pods = film.podsAt(cursor).filter((pod) => pod.lane.owners?.includes(owner) ?? false);
  const settled = value !== undefined && value.ready === value.desired && value.updated === value.desired;
  const rows: [string, string][] = value === undefined ? [] : [
    [t('desired'), String(value.desired)], [t('current'), String(value.current)], [t('updated'), String(value.updated)], [t('available'), String(value.available)], ...(value.revision === undefined ? [] : [[t('revision'), value.revision] as [string, string]]),
  ];
  return (
    <ObjectTabs lane={lane} headline={<Headline tone={settled ? 'ready' : value === undefined ? 'pending' : 'not-ready'} title={t('workload-summary', { ready: value?.ready ?? 0, desired: value?.desired ?? 0 })} detail={lane.namespace ?? ''} />}>
      <div className={styles.sec}><h3>{t('details')}</h3><table className={styles.kv}><tbody>{rows.map(([label, text]) => <tr key={label}><th scope="row">{label}</th><td className={styles.num}>{text}</td></tr>)}</tbody></table></div>
      <div className={styles.sec}><h3>{t('pods')}</h3>{pods.map((pod) => <PodRow key={pod.lane.id} podUid={pod.lane.podUid ?? ''} name={pod.lane.label} value={pod.value} />)}</div>
    </ObjectTabs>
  );
}
