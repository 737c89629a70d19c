import type { Container, Pod, Probe } from '../../../api/schema/types.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { ContainerValue } from '../../../worker/protocol.ts';
import type { Film, ProbeTick } from '../../model/film/film.ts';
import { length } from '../../model/format.ts';
import { Glyph } from '../../parts/glyph.tsx';
import { useT, type Translate } from '../../parts/i18n.ts';
import styles from './inspector.module.css';
import { messages, type InspectorMessage } from './messages.ts';

const types = ['startup', 'liveness', 'readiness'] as const;
type Type = (typeof types)[number];
type Say = Translate<InspectorMessage>;

interface ProbesProps {
  film: Film;
  podUid: string;
  cursor: SimTime;
  pod: Pod | undefined;
}

/** Per container: each probe in words, its last results, and when it runs next. */
export function Probes({ film, podUid, cursor, pod }: ProbesProps) {
  const t = useT(messages);
  const containers: Container[] = [...(pod?.spec.initContainers ?? []), ...(pod?.spec.containers ?? [])];
  return containers.filter((container) => types.some((type) => probeOf(container, type) !== undefined)).map((container) => (
    <div key={container.name} className={styles.sec}>
      <h3><b style={{ fontWeight: 'inherit' }}>{t('probes', { container: container.name })}</b><span>{t('last-and-next')}</span></h3>
      {types.map((type) => {
        const probe = probeOf(container, type);
        return probe === undefined ? null : <Row key={type} film={film} podUid={podUid} cursor={cursor} container={container.name} type={type} probe={probe} />;
      })}
    </div>
  ));
}

function probeOf(container: Container, type: Type): Probe | undefined {
  return { startup: container.startupProbe, liveness: container.livenessProbe, readiness: container.readinessProbe }[type];
}

interface RowProps {
  film: Film;
  podUid: string;
  cursor: SimTime;
  container: string;
  type: Type;
  probe: Probe;
}

function Row({ film, podUid, cursor, container, type, probe }: RowProps) {
  const t = useT(messages);
  const lane = `probe/${podUid}/${container}/${type}`;
  const periodMs = (probe.periodSeconds ?? 10) * 1000;
  const ticks = film.probeTicks(lane, Math.max(0, cursor - Math.max(12 * periodMs, 60_000)), cursor).slice(-8);
  const value = film.valueAt(`container/${podUid}/${container}`, cursor) as ContainerValue | undefined;
  const due = dueWords(film, lane, type, cursor, periodMs, ticks, value, t);
  const config = words(probe, type, t);
  return (
    <div className={styles.pr}>
      <Glyph name={`${type}-none`} size={12} className="i3" />
      <span lang="en">{type}</span>
      <span className={styles.strip} role="img" aria-label={ticks.map((tick) => (passed(tick) ? '+' : '-')).join(' ') || t('no-result')}>
        {ticks.map((tick) => <Glyph key={tick.at} name={`${type}-${passed(tick) ? 'ok' : 'fail'}`} size={12} className={passed(tick) ? 'ok' : 'bad'} />)}
      </span>
      <span />
      <span className={styles.cfg} title={config}>{config}</span>
      <span className={styles.sub}>{due}</span>
    </div>
  );
}

const passed = (tick: ProbeTick) => tick.mark === undefined || tick.mark.outcome === 'success';

function dueWords(film: Film, lane: string, type: Type, cursor: SimTime, periodMs: number, ticks: readonly ProbeTick[], value: ContainerValue | undefined, t: Say): string {
  if (type === 'startup' && value?.started === true) return t('passed');
  if (value?.state !== 'running') return t('not-running');
  if (type !== 'startup' && !value.started) return t('waits-startup');
  const known = film.probeTicks(lane, cursor + 1, cursor + 2 * periodMs)[0]?.at;
  const last = ticks.at(-1)?.at;
  const due = known ?? (last === undefined ? undefined : last + periodMs);
  return due === undefined || due < cursor ? t('no-result') : t('due-in', { left: length(due - cursor) });
}

/** '/healthz every 10 s, 3 fails restart'. */
function words(probe: Probe, type: Type, t: Say): string {
  const { httpGet, tcpSocket, grpc, exec } = probe;
  const target = httpGet !== undefined ? (httpGet.path ?? '/') : tcpSocket !== undefined ? t('tcp', { port: String(tcpSocket.port) }) : grpc !== undefined ? t('grpc', { port: grpc.port }) : (exec?.command ?? []).join(' ');
  const count = probe.failureThreshold ?? 3;
  const end = type === 'startup' ? t('tries-n', { count }) : t(type === 'liveness' ? 'fails-restart' : 'fails-withdraw', { count });
  const every = t('every', { period: `${probe.periodSeconds ?? 10} s` });
  const delay = probe.initialDelaySeconds ?? 0;
  return `${target} ${every}, ${end}${delay > 0 ? `, ${t('after-delay', { delay: `${delay} s` })}` : ''}`;
}
