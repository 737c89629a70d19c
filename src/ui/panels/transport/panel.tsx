import { clock, wall } from '../../model/format.ts';
import { Button, IconButton, Rule, Switch } from '../../parts/button.tsx';
import { Glyph } from '../../parts/glyph.tsx';
import { useT } from '../../parts/i18n.ts';
import { Menu } from '../../parts/menu.tsx';
import { useFilm } from '../../store/film.ts';
import { cursor, goLive, setSkipIdle, setSpeed, speeds, step, toEnd, togglePlay, toStart, useCursor, usePlayback } from '../../store/playback.ts';
import { switchBranch } from '../../store/session.ts';
import { fitAll, zoomAtPlayhead } from '../../store/viewport.ts';
import { messages } from './messages.ts';
import styles from './transport.module.css';

/** Slower than real time is written as a fraction: 1/10. */
export const speedText = (speed: number): string => (speed >= 1 ? `×${speed}` : `×1/${Math.round(1 / speed)}`);

export function Transport() {
  const t = useT(messages);
  const playing = usePlayback((state) => state.playing);
  return (
    <div className={styles.wrap} data-panel="timeline" data-keys="">
      <div className={styles.bar} role="toolbar" aria-label={t('transport')}>
        <IconButton label={t('start')} hint="Home" onClick={toStart}><Glyph name="to-start" /></IconButton>
        <IconButton label={t('step-back')} hint="," onClick={() => step(-1)}><Glyph name="step-back" /></IconButton>
        <IconButton label={t(playing ? 'pause' : 'play')} hint="Space" className={styles.play} onClick={togglePlay}><Glyph name={playing ? 'pause' : 'play'} /></IconButton>
        <IconButton label={t('step-forward')} hint="." onClick={() => step(1)}><Glyph name="step-forward" /></IconButton>
        <IconButton label={t('end')} hint="End" onClick={toEnd}><Glyph name="to-end" /></IconButton>
        <Where />
        <Pace />
        <Right />
      </div>
    </div>
  );
}

/** The time, large; the wall clock of the film; the number of the moment. */
function Where() {
  const t = useT(messages);
  const film = useFilm();
  const cursor = useCursor();
  const { step: at, steps } = film.stepsAt(cursor);
  return (
    <>
      <span className={styles.clock}>{clock(cursor)}<small className={styles.wall}>{t('wall', { time: wall(cursor, film.epochMs) })}</small></span>
      <span className={styles.first}><Rule /></span>
      <span className={styles.step}>{t('step', { step: at })} <span>{t('of', { steps })}</span></span>
      <Rule />
    </>
  );
}

function Pace() {
  const t = useT(messages);
  const speed = usePlayback((state) => state.speed);
  const skipIdle = usePlayback((state) => state.skipIdle);
  const items = speeds.map((value) => ({ id: String(value), label: <span className="tn">{speedText(value)}</span>, checked: value === speed }));
  return (
    <>
      <Menu small label={`${t('speed')} ${speedText(speed)}`} face={<span className="tn">{speedText(speed)}</span>} groups={[{ label: t('speed'), items }]} onChoose={(id) => setSpeed(Number(id))} />
      <span className={styles.gap}><Switch checked={skipIdle} onChange={setSkipIdle}>{t('skip-idle')}</Switch></span>
    </>
  );
}

function Right() {
  const t = useT(messages);
  const film = useFilm();
  const live = usePlayback((state) => state.live && state.playing);
  const until = Math.max(film.untilMs, film.head);
  return (
    <span className={styles.right}>
      <Branches />
      <Rule />
      <IconButton small look="quiet" label={t('zoom-out')} hint="-" onClick={() => zoomAtPlayhead(1 / 1.5, cursor())}><Glyph name="minus" size={14} /></IconButton>
      <IconButton small look="quiet" label={t('zoom-in')} hint="+" onClick={() => zoomAtPlayhead(1.5, cursor())}><Glyph name="plus" size={14} /></IconButton>
      <IconButton small look="quiet" label={t('fit')} hint="0" onClick={() => fitAll(until)}><Glyph name="fit" size={14} /></IconButton>
      <Button small look="quiet" aria-pressed={live} aria-label={t('live')} onClick={goLive}><Glyph name="live" size={14} /><span className={styles.word}>{t('live')}</span></Button>
    </span>
  );
}

function Branches() {
  const t = useT(messages);
  const film = useFilm();
  const nameOf = (name: string) => (name === 'main' ? t('main') : name);
  const current = film.branches.find((branch) => branch.id === film.branch);
  const items = film.branches.map((branch) => ({
    id: String(branch.id), checked: branch.id === film.branch, label: branch.forkedFrom === undefined ? nameOf(branch.name) : t('branch-n', { name: branch.name, at: clock(branch.forkAt) }),
  }));
  const face = <><Glyph name="branch" size={14} />{nameOf(current?.name ?? 'main')}</>;
  return <Menu small quiet align="end" label={`${t('branch')}: ${nameOf(current?.name ?? 'main')}`} face={face} groups={[{ label: t('branch'), items }]} onChoose={(id) => switchBranch(Number(id))} />;
}
