import { memo, useCallback, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { Message } from '../../../worker/protocol.ts';
import { actorsOf } from '../../model/lanes/actors.ts';
import { neighbour } from '../../model/lanes/lines.ts';
import { askedFor, burstAround } from '../../model/lanes/window.ts';
import { Button, Switch } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { useT } from '../../parts/i18n.ts';
import { useSize } from '../../parts/use-canvas.ts';
import { useAnswer } from '../../store/answers.ts';
import { useFilm } from '../../store/film.ts';
import { seek, useCalmCursor, useCursor } from '../../store/playback.ts';
import { selectPod, useSelectedPod } from '../../store/selection.ts';
import { panWindow, setWindow, useViewport, viewportStore, zoomBack } from '../../store/viewport.ts';
import { clock } from '../../model/format.ts';
import { useActorName } from './actor-name.ts';
import { Detail } from './detail.tsx';
import styles from './lanes.module.css';
import { messages as words } from './messages.ts';
import { Plane } from './plane.tsx';
import { Ruler } from './ruler.tsx';
import { MessageTable } from './table.tsx';

const messagesMost = 600;
const [lowRow, highRow] = [14, 36];
const Table = memo(MessageTable);

/** Which messages: of the selected pod or all, with or without the noise. */
interface Filter {
  onlyPod: boolean;
  events: boolean;
  leases: boolean;
}

/** The sequence view: a row for each component, a line for each message. */
export function Lanes() {
  const t = useT(words);
  const nameOf = useActorName();
  const cursor = useCursor();
  const pod = useSelectedPod();
  const view = useViewport((state) => state.view);
  const [filter, setFilter] = useState<Filter>({ onlyPod: true, events: false, leases: false });
  const podUid = filter.onlyPod ? pod : undefined;
  const { messages, total, beginAt, waiting } = useMessages(filter, podUid);
  const rows = useRows(messages, podUid);
  const scroll = useRef<HTMLDivElement>(null);
  const { height } = useSize(scroll);
  const [width, setWidth] = useState(600);
  const [chosen, setChosen] = useState<Message>();
  const rowHeight = Math.min(highRow, Math.max(lowRow, Math.floor((height - 23) / rows.length)));
  const own = { ...view, widthPx: width };
  const inWindow = messages.filter((message) => message.receivedAt >= view.from && message.sentAt <= view.until);

  const choose = useCallback((message: Message) => {
    setChosen(message);
    if (message.podUid === undefined || message.podUid === pod) return;
    // What is chosen is selected everywhere; the view that shows all stays as it is.
    setFilter((old) => ({ ...old, onlyPod: false }));
    selectPod(message.podUid);
  }, [pod]);

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      const from = chosen === undefined ? inWindow : messages;
      const next = neighbour(from, chosen?.id, step, chosen?.sentAt ?? cursor);
      if (next !== undefined) choose(next);
      bring(next, step);
    } else if (event.key === 'Enter' && chosen !== undefined) seek(chosen.sentAt);
    else if (event.key === 'Escape' && chosen !== undefined) setChosen(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const burst = () => {
    const seen = cursor >= view.from && cursor <= view.until;
    const window = burstAround(messages, seen ? cursor : (view.from + view.until) / 2, view.until - view.from);
    if (window !== undefined) setWindow(...window);
  };
  const count = `${total > messages.length ? t('of-many', { count: messages.length, total }) : t('count', { count: inWindow.length })}${beginAt > view.from ? `, ${t('begin', { at: clock(beginAt) })}` : ''}`;
  return (
    <section className={styles.panel} aria-label={t('title')}>
      <div className={styles.bar}>
        <Switch checked={filter.onlyPod} onChange={(onlyPod) => setFilter({ ...filter, onlyPod })}>{t('only-pod')}</Switch>
        <Switch checked={filter.events} onChange={(events) => setFilter({ ...filter, events })}>{t('events')}</Switch>
        <Switch checked={filter.leases} onChange={(leases) => setFilter({ ...filter, leases })}>{t('leases')}</Switch>
        <span className={styles.count} title={count}>{count}</span>
        <Button small look="outline" title={t('closer-hint')} disabled={messages.length === 0} onClick={burst}>{t('closer')}</Button>
        <Button small onClick={zoomBack}>{t('back')}</Button>
      </div>
      <div ref={scroll} className={styles.scroll} tabIndex={0} role="group" aria-label={t('title')} aria-description={t('keys')} onKeyDown={onKeyDown}>
        <Ruler view={own} cursor={cursor} />
        <div className={styles.body}>
          <ul className={cx(styles.labels, rowHeight < 18 && styles.low)}>{rows.map((actor) => <li key={actor} style={{ height: rowHeight }} title={nameOf(actor)}>{nameOf(actor)}</li>)}</ul>
          <Plane messages={messages} rows={rows} rowHeight={rowHeight} view={own} cursor={cursor} selected={chosen?.id} nameOf={nameOf} onWidth={setWidth} onSelect={choose} onSeek={seek} />
        </div>
        {inWindow.length === 0 && <p className={styles.none}>{waiting ? t('waiting') : <><b>{t('none')}</b> {t('none-text')}</>}</p>}
      </div>
      <Detail
        message={chosen} question={chosen?.answers === undefined ? undefined : messages.find((message) => message.id === chosen.answers)} cursor={cursor} nameOf={nameOf}
        onClear={() => setChosen(undefined)}
      />
      <Table messages={messages} nameOf={nameOf} />
    </section>
  );
}

/** Brings a message into the window; without one the window goes on, to where there may be more. */
function bring(message: Message | undefined, step: 1 | -1): void {
  const { from, until } = viewportStore.getState().view;
  if (message === undefined) panWindow(((until - from) / 2) * step);
  else if (message.receivedAt < from || message.sentAt > until) panWindow(message.sentAt - (from + until) / 2);
}

const nothing: readonly Message[] = [];

/** Asks for the window of the timeline and some more; the old answer stays until the new one is there. */
function useMessages({ events, leases }: Filter, podUid: string | undefined): { messages: readonly Message[]; total: number; beginAt: number; waiting: boolean } {
  const film = useFilm();
  const cursor = useCalmCursor();
  const { from, until } = useViewport((state) => state.view);
  const { grown, ...window } = askedFor(from, until, cursor, film.head);
  const answer = useAnswer<'messages'>({ about: 'messages', ...window, limit: messagesMost, events, leases, ...(podUid === undefined ? {} : { podUid }) }, `/${film.branch}/${grown}`);
  const { messages = nothing, total = 0, beginAt = 0 } = answer.value ?? {};
  return { messages, total, beginAt, waiting: answer.value === undefined || answer.stale };
}

/** Whoever had a row keeps it as long as the same pod is looked at: rows do not jump while the window moves. */
function useRows(messages: readonly Message[], podUid: string | undefined): readonly string[] {
  const film = useFilm();
  const known = useRef<{ of: string; actors: readonly string[] }>({ of: '', actors: [] });
  const value = podUid === undefined ? undefined : film.valueAt(`pod/${podUid}`, film.head);
  const node = value?.kind === 'pod' ? value.node : undefined;
  const of = `${film.branch} ${podUid ?? ''}`;
  return useMemo(() => {
    const actors = actorsOf(messages, node, known.current.of === of ? known.current.actors : []);
    known.current = { of, actors };
    return actors;
  }, [messages, node, of]);
}
