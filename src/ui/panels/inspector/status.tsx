import type { ConditionValue, ContainerValue, Lane, PodValue } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Pod } from '../../../api/schema/types.ts';
import type { Film, LaneData } from '../../model/film/film.ts';
import { clock, left } from '../../model/format.ts';
import { Glyph, StateGlyph } from '../../parts/glyph.tsx';
import { useLanguage, useT } from '../../parts/i18n.ts';
import { containerStateWords, signalOfExit } from '../../parts/status-words.ts';
import { useObject } from '../../store/answers.ts';
import { useFilm } from '../../store/film.ts';
import { useCalmCursor } from '../../store/playback.ts';
import styles from './inspector.module.css';
import { messages } from './messages.ts';
import { Probes } from './probes.tsx';

const conditionOrder = ['PodScheduled', 'PodReadyToStartContainers', 'Initialized', 'ContainersReady', 'Ready'];

export function PodStatus({ podUid, lane }: { podUid: string; lane: Lane }) {
  const film = useFilm();
  const cursor = useCalmCursor();
  const { object } = useObject('pods', lane.namespace ?? 'default', lane.label, cursor);
  const pod = object as unknown as Pod | undefined;
  return (
    <>
      <Conditions film={film} podUid={podUid} cursor={cursor} />
      <Containers film={film} podUid={podUid} cursor={cursor} />
      <Probes film={film} podUid={podUid} cursor={cursor} pod={pod} />
      {pod !== undefined && <Facts pod={pod} value={film.valueAt(lane.id, cursor) as PodValue | undefined} cursor={cursor} owners={lane.owners ?? []} />}
    </>
  );
}

const rank = (type: string) => (conditionOrder.indexOf(type) + 100) % 100;

function Conditions({ film, podUid, cursor }: { film: Film; podUid: string; cursor: SimTime }) {
  const t = useT(messages);
  const rows = film.lanesOfPod(podUid).filter(({ lane }) => lane.kind === 'condition').map((data) => ({ type: data.lane.label, span: film.spanOf(data, cursor), since: statusSince(film, data, cursor) })).sort((a, b) => rank(a.type) - rank(b.type));
  if (rows.every((row) => row.span === undefined)) return null;
  return (
    <div className={styles.sec}>
      <h3>{t('conditions')}<span>{t('since')}</span></h3>
      <table className={styles.kv} lang="en"><tbody>
        {rows.map(({ type, span, since }) => {
          const value = span?.value as ConditionValue | undefined;
          return value === undefined ? null : (
            <tr key={type} title={[value.reason, value.message].filter(Boolean).join(': ')}>
              <td><span className={styles.cond}><i className={styles[value.status]} aria-hidden="true" />{type}</span></td><td className="i2">{value.status}</td><td className={styles.num}>{clock(since)}</td>
            </tr>
          );
        })}
      </tbody></table>
    </div>
  );
}

/** When the status itself last changed: a new reason with the same status keeps the older time, as lastTransitionTime does. */
function statusSince(film: Film, data: LaneData, t: SimTime): SimTime {
  let since = 0;
  let status: string | undefined;
  for (const { value, from } of film.spansBetween(data.lane.id, 0, t)) {
    if (value.kind === 'condition' && value.status !== status) {
      since = from;
      status = value.status;
    }
  }
  return since;
}

const roleOf: Record<ContainerValue['role'], 'sandbox' | 'init' | 'sidecar' | 'app' | 'ephemeral'> = { pause: 'sandbox', init: 'init', sidecar: 'sidecar', app: 'app', ephemeral: 'ephemeral' };

function Containers({ film, podUid, cursor }: { film: Film; podUid: string; cursor: SimTime }) {
  const t = useT(messages);
  const language = useLanguage();
  const order = (data: LaneData) => (data.lane.container === 'pause' || data.lane.label === 'pause' ? -1 : (data.lane.order ?? 99));
  const rows = film.lanesOfPod(podUid).filter(({ lane }) => lane.kind === 'container').sort((a, b) => order(a) - order(b)).map((data) => ({ lane: data.lane, span: film.spanOf(data, cursor), last: lastEnd(film, data, cursor), since: stateSince(film, data, cursor) })).filter((row) => row.span !== undefined);
  if (rows.length === 0) return null;
  return (
    <div className={styles.sec}>
      <h3>{t('containers')}<span>{t('since')}</span></h3>
      <table className={styles.kv}>
        {rows.map(({ lane, span, last, since }) => {
          const value = span?.value as ContainerValue;
          const note = noteOf(value, last, cursor, t);
          return (
            <tbody key={lane.id}>
              <tr title={value.message ?? value.image}>
                <td><span className={styles.named}><Glyph name={`role-${value.role === 'ephemeral' ? 'app' : value.role}`} size={12} className="i3" /><span className="clip" lang="en">{lane.label}</span></span></td>
                <td className="i3">{t(roleOf[value.role])}</td>
                <td><span className={styles.st} data-state={value.tone}><StateGlyph tone={value.tone} size={10} />{containerStateWords(value, language)}</span></td>
                <td className={styles.num}>{clock(since)}</td>
              </tr>
              {note !== '' && <tr className={styles.note}><td /><td colSpan={3}>{note}</td></tr>}
            </tbody>
          );
        })}
      </table>
    </div>
  );
}

/** When the container's state began: becoming ready is not a new state. */
function stateSince(film: Film, data: LaneData, t: SimTime): SimTime {
  let since = 0;
  let known = '';
  for (const { value, from } of film.spansBetween(data.lane.id, 0, t)) {
    if (value.kind !== 'container') continue;
    const state = `${value.state} ${value.restarts} ${value.state === 'running' ? '' : (value.reason ?? '')}`;
    if (state !== known) since = from;
    known = state;
  }
  return since;
}

function lastEnd(film: Film, data: LaneData, t: SimTime): ContainerValue | undefined {
  const ended = film.spansBetween(data.lane.id, 0, t).filter(({ value, until }) => value.kind === 'container' && value.state === 'terminated' && until <= t);
  return ended.at(-1)?.value as ContainerValue | undefined;
}

function noteOf(value: ContainerValue, last: ContainerValue | undefined, cursor: SimTime, t: (key: keyof (typeof messages)['en'], values?: Record<string, string | number>) => string): string {
  const parts: string[] = [];
  if (value.restarts > 0) parts.push(value.restarts === 1 ? t('restarts-one') : t('restarted', { count: value.restarts }));
  if (value.retryAt !== undefined && value.retryAt > cursor) parts.push(t('retry-in', { left: left(value.retryAt - cursor) }));
  if (last !== undefined && value.state !== 'terminated') {
    const code = last.exitCode ?? 0;
    const signal = signalOfExit(code);
    parts.push(signal === undefined ? t('last-state', { reason: last.reason ?? '', code }) : t('last-state-signal', { reason: last.reason ?? '', code, signal }));
  }
  return parts.join(', ');
}

function Facts({ pod, value, cursor, owners }: { pod: Pod; value: PodValue | undefined; cursor: SimTime; owners: readonly string[] }) {
  const t = useT(messages);
  const rows: [string, string | undefined][] = [
    [t('pod-ip'), pod.status.podIP ?? value?.ip], [t('node'), pod.spec.nodeName], [t('qos'), pod.status.qosClass], [t('owner'), owners[0]], [t('policy'), pod.spec.restartPolicy], [t('service-account'), pod.spec.serviceAccountName],
    [t('grace'), value?.deadlineAt === undefined ? (pod.spec.terminationGracePeriodSeconds === undefined ? undefined : `${pod.spec.terminationGracePeriodSeconds} s`) : t('grace-left', { left: left(value.deadlineAt - cursor) })],
  ];
  return (
    <div className={styles.sec}>
      <h3>{t('details')}</h3>
      <table className={styles.kv}><tbody>
        {rows.filter(([, text]) => text !== undefined && text !== '').map(([label, text]) => <tr key={label}><th scope="row">{label}</th><td lang="en" className="tn">{text}</td></tr>)}
      </tbody></table>
    </div>
  );
}
