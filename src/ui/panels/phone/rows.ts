import type { PodValue } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../../model/film/film.ts';
import { clock } from '../../model/format.ts';
import type { Translate } from '../../parts/i18n.ts';
import { momentWords, type MomentWords } from '../../parts/moment-words.ts';
import type { Language } from '../../store/view.ts';
import type { messages } from './messages.ts';

export interface Row {
  key: string;
  at: SimTime;
  words: MomentWords;
  /** Of the pod at that time: the rail. */
  state: string;
  folded: boolean;
}

type Say = Translate<keyof (typeof messages)['en']>;

const most = 200;

/** Moments up to a time, newest first; passed probes in a row are one line. */
export function rowsOf(film: Film, podUid: string | undefined, until: SimTime, language: Language, t: Say): Row[] {
  const rows: Row[] = [];
  const all = film.momentsBetween(0, until);
  for (let index = all.length - 1; index >= 0 && rows.length < most; index -= 1) {
    const moment = all[index];
    if (moment === undefined || (podUid !== undefined && moment.lane.podUid !== podUid && moment.lane.kind !== 'inputs')) continue;
    // The probe's own line says the same.
    if (podUid !== undefined && moment.value?.kind === 'event' && moment.value.reason === 'Unhealthy') continue;
    const words = momentWords(moment, language);
    if (words !== undefined) rows.push({ key: `${moment.lane.id} ${moment.at} ${index}`, at: moment.at, words, state: stateAt(film, podUid ?? moment.lane.podUid, moment.at), folded: false });
  }
  if (podUid === undefined) return rows;
  return [...rows, ...probeRows(film, podUid, rows.at(-1)?.at ?? 0, until, language, t)].sort((a, b) => b.at - a.at);
}

function stateAt(film: Film, podUid: string | undefined, at: SimTime): string {
  const value = podUid === undefined ? undefined : (film.valueAt(`pod/${podUid}`, at) as PodValue | undefined);
  return value?.tone ?? '';
}

/** Failures that crossed nothing, each; successes folded. */
function probeRows(film: Film, podUid: string, from: SimTime, until: SimTime, language: Language, t: Say): Row[] {
  const rows: Row[] = [];
  const ticks = film.lanesOfPod(podUid).filter(({ lane }) => lane.kind === 'probe')
    .flatMap(({ lane }) => film.probeTicks(lane.id, from, until).map((tick) => ({ ...tick, lane }))).sort((a, b) => a.at - b.at);
  let passed: typeof ticks = [];
  const fold = () => {
    const [first, last] = [passed[0], passed.at(-1)];
    if (first === undefined || last === undefined) return;
    const title = passed.length === 1 ? t('one-probe-passed') : t('probes-passed', { count: passed.length });
    const words = { subject: '', title, detail: passed.length === 1 ? '' : t('to', { at: clock(last.at) }), icon: 'more' };
    rows.push({ key: `fold ${first.at}`, at: first.at, words, state: stateAt(film, podUid, first.at), folded: true });
    passed = [];
  };
  for (const tick of ticks) {
    const { mark } = tick;
    if (mark?.crosses === true) {
      fold();
    } else if (mark === undefined || mark.outcome === 'success') {
      passed.push(tick);
    } else {
      fold();
      const words = momentWords({ at: tick.at, lane: tick.lane, value: mark, transition: false }, language);
      if (words !== undefined) rows.push({ key: `${tick.lane.id} ${tick.at}`, at: tick.at, words, state: stateAt(film, podUid, tick.at), folded: false });
    }
  }
  fold();
  return rows;
}
