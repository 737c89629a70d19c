import type { Lane, PodValue, ServiceValue } from '../../../worker/protocol.ts';
import { useT } from '../../parts/i18n.ts';
import { useFilm } from '../../store/film.ts';
import { useCalmCursor } from '../../store/playback.ts';
import { Headline } from './headline.tsx';
import styles from './inspector.module.css';
import { messages } from './messages.ts';
import { ObjectTabs } from './object-tabs.tsx';
import { PodRow } from './pod-row.tsx';

export function ServiceDetails({ lane }: { lane: Lane }) {
  const t = useT(messages);
  const film = useFilm();
  const cursor = useCalmCursor();
  const value = film.valueAt(lane.id, cursor) as ServiceValue | undefined;
  const endpoints = value?.endpoints ?? [];
  const ready = endpoints.filter((end) => end.ready).length;
  const title = endpoints.length === 0 ? t('no-endpoints') : t('service-ready', { ready, total: endpoints.length });
  const rows: [string, string][] = value === undefined ? [] : [[t('type'), value.type], [t('cluster-ip'), value.clusterIP], [t('ports'), value.ports.join(', ')]];
  return (
    <ObjectTabs lane={lane} headline={<Headline tone={ready > 0 ? 'ready' : endpoints.length > 0 ? 'not-ready' : 'pending'} title={title} detail={value === undefined ? '' : `${value.clusterIP} ${value.ports.join(', ')}`} />}>
      <div className={styles.sec}>
        <h3>{t('endpoints')}</h3>
        {endpoints.length === 0 && <span className="i3">{t('no-endpoints')}</span>}
        {endpoints.map((end) => (
          <PodRow key={`${end.podUid} ${end.address}`} podUid={end.podUid} name={end.podName} value={film.valueAt(`pod/${end.podUid}`, cursor) as PodValue | undefined} detail={`${end.address} ${t(end.terminating ? 'ending' : end.ready ? 'serving' : 'not-serving')}`} />
        ))}
      </div>
      <div className={styles.sec}>
        <h3>{t('details')}</h3>
        <table className={styles.kv}><tbody>{rows.map(([label, text]) => <tr key={label}><th scope="row">{label}</th><td className="tn" lang="en">{text}</td></tr>)}</tbody></table>
      </div>
    </ObjectTabs>
  );
}
