import type { Lane, NodeValue } from '../../../worker/protocol.ts';
import { trim } from '../../model/format.ts';
import { useT } from '../../parts/i18n.ts';
import { useFilm } from '../../store/film.ts';
import { useCalmCursor } from '../../store/playback.ts';
import { Headline } from './headline.tsx';
import styles from './inspector.module.css';
import { messages } from './messages.ts';
import { ObjectTabs } from './object-tabs.tsx';
import { PodRow } from './pod-row.tsx';

const gi = 1024 ** 3;

export function NodeDetails({ lane }: { lane: Lane }) {
  const t = useT(messages);
  const film = useFilm();
  const cursor = useCalmCursor();
  const value = film.valueAt(lane.id, cursor) as NodeValue | undefined;
  const pods = film.podsAt(cursor).filter((pod) => pod.value.node === lane.label);
  const ready = value?.ready ?? 'Unknown';
  const title = t(ready === 'True' ? 'node-ready' : ready === 'False' ? 'node-not-ready' : 'node-unknown');
  const detail = value === undefined ? '' : [`${pods.length} / ${value.podCapacity} ${t('pods')}`, value.schedulable ? '' : t('cordoned'), value.alive ? '' : t('kubelet-silent')].filter(Boolean).join(', ');
  return (
    <ObjectTabs lane={lane} headline={<Headline tone={ready === 'True' ? 'ready' : ready === 'False' ? 'not-ready' : 'unknown'} title={title} detail={detail} />}>
      {value !== undefined && (
        <div className={styles.sec}>
          <h3>{t('capacity')}<span>{t('requested')}</span></h3>
          <table className={styles.kv}><tbody>
            <Meter label={t('cpu')} used={value.cpuRequestedMilli} total={value.cpuMilli} text={`${trim(value.cpuRequestedMilli / 1000)} / ${trim(value.cpuMilli / 1000)}`} />
            <Meter label={t('memory')} used={value.memoryRequestedBytes} total={value.memoryBytes} text={`${trim(value.memoryRequestedBytes / gi)} / ${trim(value.memoryBytes / gi)} Gi`} />
            <Meter label={t('pods')} used={pods.length} total={value.podCapacity} text={`${pods.length} / ${value.podCapacity}`} />
          </tbody></table>
        </div>
      )}
      {value !== undefined && (
        <div className={styles.sec}>
          <h3>{t('taints')}</h3>
          <table className={styles.kv}><tbody>{value.taints.length === 0 ? <tr><td className="i3">{t('no-taints')}</td></tr> : value.taints.map((taint) => <tr key={taint}><td className="mono" lang="en">{taint}</td></tr>)}</tbody></table>
          {value.pressures.length > 0 && <p className="i2" lang="en">{t('pressure')}: {value.pressures.join(', ')}</p>}
        </div>
      )}
      <div className={styles.sec}>
        <h3>{t('pods-here')}</h3>
        {pods.length === 0 ? <span className="i3">{t('none')}</span> : pods.map((pod) => <PodRow key={pod.lane.id} podUid={pod.lane.podUid ?? ''} name={pod.lane.label} value={pod.value} />)}
      </div>
    </ObjectTabs>
  );
}

function Meter({ label, used, total, text }: { label: string; used: number; total: number; text: string }) {
  return <tr><th scope="row">{label}</th><td style={{ width: '50%' }}><div className={styles.meter}><b style={{ width: `${total === 0 ? 0 : Math.min(100, (used / total) * 100)}%` }} /></div></td><td className={styles.num}>{text}</td></tr>;
}
