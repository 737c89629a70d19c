import type { ReactNode } from 'react';
import type { LaneValue, Tone } from '../../../worker/protocol.ts';
import { clock, say } from '../../model/format.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Glyph, StateGlyph } from '../../parts/glyph.tsx';
import { useLanguage, useT, type Translate } from '../../parts/i18n.ts';
import { LanguageSwitch } from '../../parts/language-switch.tsx';
import { Menu } from '../../parts/menu.tsx';
import parts from '../../parts/parts.module.css';
import { PodName } from '../../parts/pod-name.tsx';
import { podStatusWords } from '../../parts/status-words.ts';
import { messages as whyMessages } from '../../parts/why-messages.ts';
import { whySentence } from '../../parts/why-model.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { useFilm } from '../../store/film.ts';
import { setSpeed, speeds, step, togglePlay, useCalmCursor, useCursor, usePlayback } from '../../store/playback.ts';
import { useSelectedLane } from '../../store/selection.ts';
import { setView, useView, viewStore, type PhoneTab } from '../../store/view.ts';
import { ClusterList } from './cluster.tsx';
import { messages } from './messages.ts';
import { MomentList } from './moments.tsx';
import { MoreView } from './more.tsx';
import styles from './phone.module.css';

/** One panel at a time, transport in reach of the thumb. Editor and details are those of the wide layout. */
export function Phone({ editor, details }: { editor: ReactNode; details: ReactNode }) {
  const t = useT(messages);
  const tab = useView((state) => state.phoneTab);
  const items = (['cluster', 'time', 'yaml', 'more'] as const).map((id) => ({ id, label: t(id) }));
  return (
    <div className={styles.phone}>
      <header className={styles.head}>
        <h1 className={styles.brand}><Glyph name="mark" />Kubelapse</h1>
        <span className="push"><LanguageSwitch label={t('language')} /></span>
        <PhoneMenu />
      </header>
      <main className={styles.main}>
      <StatusCard />
      <Tabs<PhoneTab> label={t('tabs')} items={items} active={tab} onChange={(phoneTab) => setView({ phoneTab })} panelId="phone-body" className={styles.tabs} tabClassName={styles.tab} />
      <div id="phone-body" role="tabpanel" className={styles.body} tabIndex={0} aria-labelledby={`tab-phone-body-${tab}`}>
        {tab === 'cluster' && <ClusterList />}
        {tab === 'time' && <MomentList />}
        {tab === 'yaml' && editor}
        {tab === 'more' && <MoreView details={details} />}
      </div>
      </main>
      <PhoneTransport />
    </div>
  );
}

function PhoneMenu() {
  const t = useT(messages);
  const items = [{ id: 'examples', label: t('examples'), icon: 'book' }, { id: 'share', label: t('share'), icon: 'share' }, { id: 'theme', label: t('theme'), icon: 'theme' }];
  const choose = (id: string) => {
    if (id === 'theme') setView({ theme: viewStore.getState().theme === 'dark' ? 'light' : 'dark' });
    else if (id === 'share') setView({ dialog: 'share' });
    else setView({ phoneTab: 'more' });
  };
  return <span className={styles.menu}><Menu icon quiet align="end" label={t('menu')} face={<Glyph name="more" />} groups={[{ items }]} onChoose={choose} /></span>;
}

/** The selected pod and the sentence that explains it. */
function StatusCard() {
  const t = useT(messages);
  const language = useLanguage();
  const film = useFilm();
  const cursor = useCalmCursor();
  const lane = useSelectedLane();
  const value = lane === undefined ? undefined : film.valueAt(lane.id, cursor);
  if (lane === undefined || value?.kind !== 'pod') {
    const [tone, text] = summaryOf(value, t);
    return <section className={styles.card}><span className={`${parts.gbox} ${styles.box}`} data-state={tone}><StateGlyph tone={tone} size={20} /></span><div style={{ minWidth: 0 }}><h2><b className="clip">{lane?.label ?? t('nothing-title')}</b></h2><p className="i2">{text}</p></div></section>;
  }
  return (
    <section className={styles.card}>
      <span className={`${parts.gbox} ${styles.box}`} data-state={value.tone}><StateGlyph key={value.tone} tone={value.tone} size={20} /></span>
      <div style={{ minWidth: 0 }}>
        <h2><b className="clip"><PodName name={lane.label} /></b><span>{value.ready}/{value.total}</span></h2>
        <p><b>{podStatusWords(value, language)}</b></p>
        <p>{say(whyMessages[language], whySentence(film, lane.podUid ?? '', cursor))} <button type="button" onClick={() => setView({ phoneTab: 'more', inspector: 'status' })}><u>{t('why')}</u></button></p>
      </div>
    </section>
  );
}

/** One line for what is not a pod. */
function summaryOf(value: LaneValue | undefined, t: Translate<keyof (typeof messages)['en']>): [Tone, string] {
  switch (value?.kind) {
    case 'service': {
      const ready = value.endpoints.filter((end) => end.ready).length;
      return [ready > 0 ? 'ready' : 'pending', t('endpoints-ready', { ready, total: value.endpoints.length })];
    }
    case 'workload': return [value.ready >= value.desired ? 'ready' : 'not-ready', t('replicas-ready', { ready: value.ready, total: value.desired })];
    case 'node': return value.ready === 'True' ? ['ready', t('ready')] : ['not-ready', t('not-ready')];
    default: return ['pending', t('nothing-text')];
  }
}

function PhoneTransport() {
  const t = useT(messages);
  const playing = usePlayback((state) => state.playing);
  const speed = usePlayback((state) => state.speed);
  const cursor = useCursor();
  const text = (value: number) => (value >= 1 ? `×${value}` : `×1/${Math.round(1 / value)}`);
  return (
    <footer className={styles.foot}>
      <IconButton className={styles.round} label={t('back')} onClick={() => step(-1)}><Glyph name="step-back" size={20} /></IconButton>
      <Button className={`${styles.round} ${styles.play}`} aria-label={t(playing ? 'pause' : 'play')} onClick={togglePlay}><Glyph name={playing ? 'pause' : 'play'} size={20} /></Button>
      <IconButton className={styles.round} label={t('forward')} onClick={() => step(1)}><Glyph name="step-forward" size={20} /></IconButton>
      <span className={styles.clock}>{clock(cursor)}</span>
      <span className={styles.speed}><Menu outline align="end" label={`${t('speed')} ${text(speed)}`} face={<span className="tn">{text(speed)}</span>} groups={[{ label: t('speed'), items: speeds.map((value) => ({ id: String(value), label: text(value), checked: value === speed })) }]} onChoose={(id) => setSpeed(Number(id))} /></span>
    </footer>
  );
}
