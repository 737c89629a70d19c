import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, type ReactNode } from 'react';
import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../../model/film/film.ts';
import { clock, say as fill, type Said } from '../../model/format.ts';
import { countPasses, momentEntries, type MomentEntry } from '../../model/timeline/moment-list.ts';
import { Glyph } from '../../parts/glyph.tsx';
import { messages, type TimelineMessage } from './messages.ts';
import styles from './moments.module.css';

export interface MomentListProps {
  film: Film;
  version: number;
  cursor: SimTime;
  podUid: string | undefined;
  language: 'en' | 'zh';
  onSeek: (at: SimTime) => void;
}

const rowPx = 47;

/** The phone's timeline: what happened to a pod, newest first, with its state as a rail. A tap jumps there. */
export function MomentList({ film, version, cursor, podUid, language, onSeek }: MomentListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const all = useMemo(() => (podUid === undefined ? [] : momentEntries(film, podUid)), [film, version, podUid]);
  const past = useMemo(() => all.filter((entry) => entry.at <= cursor).toReversed(), [all, cursor]);
  const rows = useVirtualizer({ count: past.length, getScrollElement: () => scroller.current, estimateSize: () => rowPx, overscan: 8 });
  const words = messages[language];
  if (past.length === 0) return <p className={styles.none}>{words['no-moments']}</p>;
  return (
    <div ref={scroller} className={styles.scroller}>
      <ol className={styles.list} style={{ height: rows.getTotalSize() }} aria-label={words.moments}>
        {rows.getVirtualItems().map((row) => {
          const entry = past[row.index];
          if (entry === undefined || podUid === undefined) return null;
          const text = textOf(entry, film, podUid, cursor, words);
          const value = film.valueAt(`pod/${podUid}`, entry.at);
          const now = row.index === 0;
          return (
            <li key={row.key} style={{ transform: `translateY(${row.start}px)`, height: rowPx }} data-state={value?.kind === 'pod' ? value.tone : 'unknown'} className={now ? styles.now : entry.foldUntil === undefined ? '' : styles.fold}>
              <button type="button" onClick={() => onSeek(entry.at)} aria-current={now ? 'step' : undefined}>
                <span className={styles.time}>{clock(entry.at)}</span>
                <span className={styles.rail} />
                <span className={styles.icon} data-state={entry.hue}><Glyph name={entry.icon} /></span>
                <span className={styles.text}><b>{text.title}</b><span>{text.detail}</span></span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

type Words = Readonly<Record<TimelineMessage, string>>;

export function textOf(entry: MomentEntry, film: Film, podUid: string, cursor: SimTime, words: Words): { title: string; detail: string } {
  const probe = entry.probe === undefined ? {} : { probe: words[entry.probe] };
  const put = (said: Said<TimelineMessage>) => (typeof said === 'string' ? said : fill(words, { key: said.key, values: { ...said.values, ...probe } }));
  if (entry.foldUntil === undefined) return { title: put(entry.title), detail: put(entry.detail) };
  const until = Math.min(entry.foldUntil, cursor);
  const passes = countPasses(film, podUid, entry.at, until);
  const kinds = (['startup', 'readiness', 'liveness'] as const).flatMap((kind) => (passes.by[kind] === undefined ? [] : [`${passes.by[kind]} ${kind}`]));
  return { title: fill(words, { key: 'probes-folded', values: { count: passes.total } }), detail: [...kinds, fill(words, { key: 'folded-detail', values: { until: clock(passes.last) } })].join(', ') };
}

const tableRows = 60;

/** The timeline as a table, for those who do not see the canvas: the newest moments up to the playhead. Stands still while playing. */
export function MomentTable({ film, version, cursor, podUid, language, playing, onSeek }: MomentListProps & { playing: boolean }): ReactNode {
  const kept = useRef<{ entries: MomentEntry[]; cursor: SimTime }>({ entries: [], cursor: 0 });
  const entries = useMemo(() => (playing || podUid === undefined ? [] : momentEntries(film, podUid)), [film, version, podUid, playing]);
  if (!playing) kept.current = { entries: entries.filter((entry) => entry.at <= cursor).slice(-tableRows).toReversed(), cursor };
  const words = messages[language];
  if (podUid === undefined) return null;
  return (
    <table className="sr-only">
      <caption>{words['table-caption']}</caption>
      <thead><tr><th scope="col">{words['table-time']}</th><th scope="col">{words['table-what']}</th><th scope="col">{words['table-detail']}</th></tr></thead>
      <tbody>
        {kept.current.entries.map((entry, index) => {
          const text = textOf(entry, film, podUid, kept.current.cursor, words);
          return <tr key={`${entry.at}/${index + 1}`}><td><button type="button" tabIndex={-1} onClick={() => onSeek(entry.at)}>{clock(entry.at)}</button></td><td>{text.title}</td><td>{text.detail}</td></tr>;
        })}
      </tbody>
    </table>
  );
}
