import { catalog } from '../../../scenarios/catalog.ts';
import { clock } from '../../model/format.ts';
import { momentWords, toneClass } from '../../parts/moment-words.ts';
import { subjectOf } from '../../parts/subject.ts';
import type { Translate } from '../../parts/i18n.ts';
import { applyActive, startOver } from '../../store/editor.ts';
import { film } from '../../store/film.ts';
import { cursor, goLive, playbackStore, seek, setSkipIdle, toEnd, togglePlay, toStart } from '../../store/playback.ts';
import { openExample } from '../../store/scenario.ts';
import { selectLane } from '../../store/selection.ts';
import { setView, toggleDrawer, viewStore, type Language } from '../../store/view.ts';
import { fitAll } from '../../store/viewport.ts';
import { faults } from './faults.ts';
import type { messages } from './messages.ts';

export interface Entry {
  id: string;
  text: string;
  sub: string;
  icon: string;
  tone?: string;
  state?: string;
  keys?: readonly string[];
  run: () => void;
}

export interface Group {
  id: 'faults' | 'objects' | 'moments' | 'commands' | 'examples';
  entries: Entry[];
}

type Say = Translate<keyof (typeof messages)['en']>;

const most = 6;

/** All words of the query, anywhere, in any order. */
export function matches(text: string, query: string): boolean {
  const low = text.toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => low.includes(word));
}

export function search(query: string, t: Say, language: Language): Group[] {
  const fits = (entry: Entry) => query === '' || matches(`${entry.text} ${entry.sub}`, query);
  const all: Group[] = [
    { id: 'objects', entries: objects().filter(fits).slice(0, most) },
    { id: 'faults', entries: faults(t).filter(fits) },
    { id: 'moments', entries: query === '' ? [] : moments(language, query) },
    { id: 'commands', entries: commands(t).filter(fits).slice(0, query === '' ? 12 : most) },
    { id: 'examples', entries: (query === '' ? [] : examples(language)).filter(fits).slice(0, most) },
  ];
  return all.filter((group) => group.entries.length > 0);
}

function objects(): Entry[] {
  const at = cursor();
  const present = [...film().podsAt(at), ...film().nodesAt(at), ...film().servicesAt(at), ...film().workloadsAt(at)];
  return present.map(({ lane, value }) => {
    const subject = subjectOf(lane);
    const tone = value.kind === 'pod' ? value.tone : undefined;
    const icon = tone === undefined ? (lane.kind === 'node' ? 'node' : lane.kind === 'service' ? 'service' : 'pod') : `state-${tone === 'succeeded' ? 'completed' : tone}`;
    return { id: lane.id, text: lane.label, sub: subject?.kind ?? '', icon, ...(tone === undefined ? {} : { tone: 'hue', state: tone }), run: () => selectLane(lane.id) };
  });
}

/** The newest moments first, up to where the film is simulated. */
function moments(language: Language, query: string): Entry[] {
  const found: Entry[] = [];
  const all = film().moments();
  for (let index = all.length - 1; index >= 0 && found.length < most; index -= 1) {
    const moment = all[index];
    const words = moment === undefined ? undefined : momentWords(moment, language);
    if (moment === undefined || words === undefined || !matches(`${words.subject} ${words.title}`, query)) continue;
    const state = toneClass(words.tone) === 'hue' ? words.tone : undefined;
    found.push({
      id: `${moment.lane.id} ${moment.at} ${index}`, text: `${words.subject} ${words.title}`.trim(), sub: clock(moment.at), icon: words.icon, tone: toneClass(words.tone), ...(state === undefined ? {} : { state }),
      run: () => {
        if (moment.lane.podUid !== undefined) selectLane(`pod/${moment.lane.podUid}`);
        seek(moment.at);
      },
    });
  }
  return found.reverse();
}

function commands(t: Say): Entry[] {
  const { theme, language, presenter } = viewStore.getState();
  const entry = (id: Parameters<Say>[0], icon: string, run: () => void, keys?: readonly string[]): Entry => ({ id, text: t(id), sub: '', icon, run, ...(keys === undefined ? {} : { keys }) });
  return [
    entry('play', 'play', togglePlay, ['Space']), entry('start', 'to-start', toStart, ['Home']), entry('end', 'to-end', toEnd, ['End']), entry('live', 'live', goLive),
    entry('apply', 'check', applyActive, ['Ctrl', '↵']), entry('share', 'share', () => setView({ dialog: 'share' })), entry('present', 'present', () => setView({ presenter: !presenter }), ['Shift', 'P']),
    entry('keys', 'info', () => setView({ dialog: 'keys' }), ['?']), entry('events', 'flag', () => setView({ drawer: 'events' })), entry('drawer', 'drawer', () => toggleDrawer(), ['Q']),
    entry('theme', 'theme', () => setView({ theme: theme === 'dark' ? 'light' : 'dark' })), entry('language', 'book', () => setView({ language: language === 'en' ? 'zh' : 'en' })),
    entry('fit', 'fit', () => fitAll(Math.max(film().untilMs, film().head)), ['0']), entry('skip-idle', 'step-forward', () => setSkipIdle(!playbackStore.getState().skipIdle)), entry('start-over', 'undo', startOver),
  ];
}

function examples(language: Language): Entry[] {
  return catalog.map((item) => ({
    id: item.id, text: language === 'zh' ? item.titleZh : item.title, sub: language === 'zh' ? item.endingZh : item.ending, icon: 'book', run: () => void openExample(item.id, { playing: true }),
  }));
}
