import type { NodeValue, PodValue } from '../../../worker/protocol.ts';
import { trim } from '../../model/format.ts';
import type { Present } from '../../model/film/film.ts';
import { Glyph, StateGlyph } from '../../parts/glyph.tsx';
import { useLanguage, useT } from '../../parts/i18n.ts';
import parts from '../../parts/parts.module.css';
import { PodName } from '../../parts/pod-name.tsx';
import { podStatusWords } from '../../parts/status-words.ts';
import { useFilm } from '../../store/film.ts';
import { useCalmCursor } from '../../store/playback.ts';
import { selectLane, selectPod, useSelectedPod } from '../../store/selection.ts';
import { messages } from './messages.ts';
import styles from './phone.module.css';

/** The cluster without a canvas: queue, Services, then each node with its pods. */
export function ClusterList() {
  const t = useT(messages);
  const film = useFilm();
  const cursor = useCalmCursor();
  const pods = film.podsAt(cursor);
  const queue = pods.filter((pod) => pod.value.node === undefined);
  return (
    <div className={styles.map}>
      {queue.length > 0 && (
        <div className={styles.row}><Glyph name="queue" className="i2" /><b>{t('pending-queue')}</b>
          <span className={styles.squares}>{queue.slice(0, 6).map((pod) => <button key={pod.lane.id} type="button" className={styles.tag} data-state={pod.value.tone} onClick={() => selectPod(pod.lane.podUid)}><StateGlyph tone={pod.value.tone} size={12} />{pod.lane.label}</button>)}</span>
        </div>
      )}
      {film.servicesAt(cursor).map(({ lane, value }) => (
        <button key={lane.id} type="button" className={styles.row} onClick={() => selectLane(lane.id)}>
          <Glyph name="service" className="i2" /><span><b>svc/{lane.label}</b><small>{t('endpoints-ready', { ready: value.endpoints.filter((end) => end.ready).length, total: value.endpoints.length })}</small></span>
          <span className={styles.squares}>{value.endpoints.slice(0, 8).map((end) => {
            const tone = (film.valueAt(`pod/${end.podUid}`, cursor) as PodValue | undefined)?.tone ?? 'unknown';
            return <span key={end.podUid} className={styles.sq} data-state={tone} title={end.podName}><StateGlyph tone={tone} size={14} /></span>;
          })}</span>
        </button>
      ))}
      {film.nodesAt(cursor).map((node) => <NodeCard key={node.lane.id} node={node} pods={pods.filter((pod) => pod.value.node === node.lane.label)} />)}
    </div>
  );
}

const gi = 1024 ** 3;

function NodeCard({ node, pods }: { node: Present<NodeValue>; pods: readonly Present<PodValue>[] }) {
  const t = useT(messages);
  const language = useLanguage();
  const selected = useSelectedPod();
  const { value, lane } = node;
  const ready = value.ready === 'True';
  return (
    <section className={styles.node} data-state={ready ? 'ready' : 'not-ready'} aria-label={lane.label}>
      <button type="button" className={styles.nodeName} onClick={() => selectLane(lane.id)}>
        <Glyph name="node" className="i2" />{lane.label}<span className="push">{ready ? <StateGlyph tone="ready" size={10} className="ok" /> : <Glyph name="warning" size={12} className="warn" />}{t(ready ? 'ready' : 'not-ready')}</span>
      </button>
      <div className={styles.caps}>
        <Cap label={t('cpu')} used={value.cpuRequestedMilli / 1000} total={value.cpuMilli / 1000} unit="" />
        <Cap label={t('memory')} used={value.memoryRequestedBytes / gi} total={value.memoryBytes / gi} unit=" Gi" />
      </div>
      <div className={styles.slots}>
        {pods.map((pod) => (
          <button key={pod.lane.id} type="button" className={styles.chip} aria-pressed={pod.lane.podUid === selected} onClick={() => selectPod(pod.lane.podUid)}>
            <span className={`${parts.gbox} ${styles.chipBox}`} data-state={pod.value.tone}><StateGlyph key={pod.value.tone} tone={pod.value.tone} /></span>
            <span className={styles.words}><b><PodName name={pod.lane.label} /></b><small>{podStatusWords(pod.value, language)}</small></span>
          </button>
        ))}
      </div>
      {pods.length === 0 && <span className="i3">{t('no-pods')}</span>}
    </section>
  );
}

function Cap({ label, used, total, unit }: { label: string; used: number; total: number; unit: string }) {
  return <span className={styles.cap}><span>{label}</span><i><b style={{ width: `${total === 0 ? 0 : Math.min(100, (used / total) * 100)}%` }} /></i><span>{trim(used)} / {trim(total)}{unit}</span></span>;
}
