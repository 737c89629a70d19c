import type { ReactNode } from 'react';
import type { PodValue, RequestMark, Tone } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../../model/film/film.ts';
import { clock, elapsed, say } from '../../model/format.ts';
import { Button, IconButton, Rule } from '../../parts/button.tsx';
import { Glyph, StateGlyph } from '../../parts/glyph.tsx';
import { useLanguage, useT } from '../../parts/i18n.ts';
import { messages as whyMessages } from '../../parts/why-messages.ts';
import { whySentence } from '../../parts/why-model.ts';
import { useFilm } from '../../store/film.ts';
import { step, togglePlay, toStart, useCalmCursor, useCursor, usePlayback } from '../../store/playback.ts';
import { exampleById } from '../../store/scenario.ts';
import { useSelectedPod } from '../../store/selection.ts';
import { useSession } from '../../store/session.ts';
import { setView } from '../../store/view.ts';
import { messages } from './messages.ts';
import styles from './presenter.module.css';

/** For a projector: the map, one sentence, six tracks, a legend. The map and the tracks are put in by the shell. */
export function Presenter({ map, timeline }: { map: ReactNode; timeline: ReactNode }) {
  return (
    <div className={styles.present}>
      <Head />
      <main className={styles.stage} data-keys=""><div className={styles.map}>{map}</div><Caption /></main>
      <div className={styles.time} data-panel="timeline" data-keys="">{timeline}</div>
      <Legend />
      <Foot />
    </div>
  );
}

function Head() {
  const t = useT(messages);
  const zh = useLanguage() === 'zh';
  const film = useFilm();
  const cursor = useCalmCursor();
  const example = exampleById(useSession((state) => state.example));
  const title = example === undefined ? film.title : zh ? example.titleZh : example.title;
  const toggleFull = () => void (document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen()).catch(() => {});
  return (
    <header className={styles.head}>
      <Glyph name="mark" size={20} /><h1><b>Kubelapse</b></h1><span className="i2 clip">{title}</span>
      <span className="push i2 tn" style={{ whiteSpace: 'nowrap' }}>{t('step', film.stepsAt(cursor))}</span>
      <IconButton label={t('full')} onClick={toggleFull}><Glyph name="expand" size={20} /></IconButton>
      <IconButton label={t('end')} hint="Esc" onClick={() => setView({ presenter: false })}><Glyph name="close" size={20} /></IconButton>
    </header>
  );
}

function Caption() {
  const t = useT(messages);
  const language = useLanguage();
  const film = useFilm();
  const cursor = useCalmCursor();
  const podUid = useSelectedPod() ?? film.podsAt(cursor)[0]?.lane.podUid;
  const facts = podUid === undefined ? [] : factsOf(film, podUid, cursor);
  return (
    <aside className={styles.side}>
      <p aria-live="polite">{podUid === undefined ? t('nothing') : say(whyMessages[language], whySentence(film, podUid, cursor))}</p>
      <dl>{facts.map(([value, word]) => <div key={word}><dt>{value}</dt><dd>{t(word)}</dd></div>)}</dl>
    </aside>
  );
}

type Fact = [value: string, word: 'in-state' | 'restarts' | 'failed-requests' | 'ready-pods'];

/** At most three numbers that the sentence rests on. */
function factsOf(film: Film, podUid: string, cursor: SimTime): Fact[] {
  const span = film.spanAt(`pod/${podUid}`, cursor);
  if (span === undefined) return [];
  const value = span.value as PodValue;
  const facts: Fact[] = [[elapsed(cursor - span.from), 'in-state']];
  if (value.restarts > 0) facts.push([String(value.restarts), 'restarts']);
  const failed = film.lanesOfKind('requests').flatMap(({ lane }) => film.marksBetween(lane.id, 0, cursor)).reduce((sum, mark) => sum + ((mark.value as RequestMark).failed ?? 0), 0);
  if (failed > 0) facts.push([String(failed), 'failed-requests']);
  const pods = film.podsAt(cursor);
  if (facts.length < 3 && pods.length > 1) facts.push([`${pods.filter((pod) => pod.value.tone === 'ready').length}/${pods.length}`, 'ready-pods']);
  return facts;
}

const probes = ['startup', 'liveness', 'readiness'] as const;

/** Only what is on screen. */
function Legend() {
  const t = useT(messages);
  const film = useFilm();
  const cursor = useCalmCursor();
  const tones = [...new Set(film.podsAt(cursor).map((pod) => pod.value.tone))] as Tone[];
  const lanes = film.lanesOfKind('probe').map(({ lane }) => lane.probe);
  const shown = probes.filter((probe) => lanes.includes(probe));
  return (
    <section className={styles.legend} aria-label={t('legend')}>
      {tones.map((tone) => <span key={tone} data-state={tone}><StateGlyph tone={tone} className="hue" />{t(tone)}</span>)}
      {shown.length > 0 && <Rule />}
      {shown.map((probe) => <span key={probe}><Glyph name={`${probe}-ok`} className="ok" />{t(probe)}</span>)}
      {shown.length > 0 && <span><Glyph name={`${shown.at(-1) ?? 'liveness'}-fail`} className="bad" />{t('probe-failed')}</span>}
      {film.lanesOfKind('requests').length > 0 && <><Rule /><span><i className={styles.swatch} />{t('request-failed')}</span></>}
    </section>
  );
}

function Foot() {
  const t = useT(messages);
  const playing = usePlayback((state) => state.playing);
  const speed = usePlayback((state) => state.speed);
  const cursor = useCursor();
  return (
    <footer className={styles.foot}>
      <IconButton className={styles.round} label={t('start')} onClick={toStart}><Glyph name="to-start" size={20} /></IconButton>
      <IconButton className={styles.round} label={t('back')} onClick={() => step(-1)}><Glyph name="step-back" size={20} /></IconButton>
      <Button className={`${styles.round} ${styles.play}`} aria-label={t(playing ? 'pause' : 'play')} onClick={togglePlay}><Glyph name={playing ? 'pause' : 'play'} size={20} /></Button>
      <IconButton className={styles.round} label={t('forward')} onClick={() => step(1)}><Glyph name="step-forward" size={20} /></IconButton>
      <span className={styles.clock}>{clock(cursor)}</span><span className="i2 tn">{speed >= 1 ? `×${speed}` : `×1/${Math.round(1 / speed)}`}</span>
      <span className={`push ${styles.hint}`}><kbd>.</kbd>{t('next-step')}</span>
    </footer>
  );
}
