import { useEffect, useRef } from 'react';
import { clock } from '../../model/format.ts';
import { Switch } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useT } from '../../parts/i18n.ts';
import { Menu } from '../../parts/menu.tsx';
import type { ContainerValue } from '../../../worker/protocol.ts';
import { useAnswer } from '../../store/answers.ts';
import { useFilm } from '../../store/film.ts';
import { useCalmCursor, usePlayback } from '../../store/playback.ts';
import { selectionStore, useSelection } from '../../store/selection.ts';
import { useState } from 'react';
import styles from './inspector.module.css';
import { messages } from './messages.ts';

const tail = 2000;

/** What a container has written up to the playhead. */
export function Logs({ podUid }: { podUid: string }) {
  const t = useT(messages);
  const film = useFilm();
  const calm = useCalmCursor();
  const playing = usePlayback((state) => state.playing);
  const [previous, setPrevious] = useState(false);
  const names = film.lanesOfPod(podUid).filter(({ lane }) => lane.kind === 'container' && lane.label !== 'pause').sort((a, b) => (b.lane.order ?? 0) - (a.lane.order ?? 0)).map(({ lane }) => lane.container ?? lane.label);
  const container = useSelection((state) => state.container) ?? names[0];
  const at = Math.min(playing ? Math.floor(calm / 500) * 500 : calm, film.head);
  const answer = useAnswer<'logs'>(container === undefined ? undefined : { about: 'logs', podUid, container, at, previous, tail }, `/${film.branch}`);
  const lines = answer.value?.lines ?? [];
  const restarted = ((film.valueAt(`container/${podUid}/${container ?? ''}`, calm) as ContainerValue | undefined)?.restarts ?? 0) > 0;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, [lines.length, container, previous]);
  return (
    <>
      <div className={styles.logbar}>
        <Menu small outline label={`${t('select-container')}: ${container ?? ''}`} face={<span lang="en">{container ?? ''}</span>} groups={[{ label: t('select-container'), items: names.map((name) => ({ id: name, label: name, checked: name === container })) }]} onChoose={(name) => selectionStore.setState({ container: name })} />
        <Switch checked={previous} onChange={setPrevious}>{t('previous')}</Switch>
        <span className="push" />
        {lines.length > 0 && <CopyButton text={() => `${lines.map((line) => line.text).join('\n')}\n`} />}
      </div>
      {lines.length === 0
        ? <div className={styles.center}><b>{t('no-logs')}</b>{t(previous && !restarted ? 'no-previous' : 'no-logs-text')}</div>
        : <div ref={list} className={styles.log} tabIndex={0} role="log" aria-label={`${t('logs')} ${container ?? ''}`} lang="en">{lines.map((line, index) => <div key={index} className={line.stream === 'stderr' ? styles.stderr : undefined}><time>{clock(line.at)}</time><span>{line.text}</span></div>)}</div>}
    </>
  );
}
