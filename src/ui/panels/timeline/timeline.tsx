import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../../model/film/film.ts';
import { clock, say as fill } from '../../model/format.ts';
import { hitAt, inputsAt } from '../../model/timeline/hit.ts';
import { tracksBetween } from '../../model/timeline/tracks.ts';
import { denseMetrics, msPerPx, presenterMetrics, toTime } from '../../model/timeline/track.ts';
import { followCursor, setRange, setWidth, useViewport } from '../../store/viewport.ts';
import { handleKey } from './keys.ts';
import { Labels, rowId } from './labels.tsx';
import { MomentTable } from './moment-list.tsx';
import { messages } from './messages.ts';
import { filmEnd, Minimap } from './minimap.tsx';
import { drawTimeline } from './paint/timeline.ts';
import { usePointer, useWheel } from './pointer.ts';
import type { Say, TimelineProps } from './props.ts';
import { RangeSummary } from './summary.tsx';
import styles from './timeline.module.css';
import { tipOf, Tooltip, type TipLines } from './tooltip.tsx';
import { prepare, usePalette, useSize } from '../../parts/use-canvas.ts';
import { useKeepSelectedInSight, useScroll } from './use-scroll.tsx';
import { useTracks } from './use-tracks.ts';

/** Minimap, ruler and tracks. Draws what it is given; keeps only what is open, pinned and how far it is scrolled. */
export function Timeline(props: TimelineProps) {
  const { film, version, cursor, playing, selectedPod, language, fog = false, presenter = false } = props;
  const say: Say = useCallback((said) => fill(messages[language], said), [language]);
  const metrics = presenter ? presenterMetrics : denseMetrics;
  const tracks = useTracks(props);
  const wrap = useRef<HTMLDivElement>(null);
  const lanes = useRef<HTMLDivElement>(null);
  const tree = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = usePalette(wrap);
  const size = useSize(wrap);
  const view = useViewport((state) => state.view);
  const range = useViewport((state) => state.range);
  const scroll = useScroll(tracks.list.height, size.height - metrics.ruler);
  const [tip, setTip] = useState<{ lines: TipLines; x: number; y: number }>();

  useEffect(() => setWidth(size.width), [size.width]);
  useEffect(() => followCursor(cursor, playing), [cursor, playing]);
  useKeepSelectedInSight(tracks.list.tracks, selectedPod, scroll, size.height - metrics.ruler);

  useLayoutEffect(() => {
    if (canvas.current === null || palette === undefined || size.width === 0) return;
    const c = prepare(canvas.current, size);
    if (c === null) return;
    drawTimeline(c, palette, {
      film, list: tracks.list, view: { ...view, widthPx: size.width }, cursor, scrollTop: scroll.top, metrics, fog, big: presenter,
      say: (said) => fill(messages[language], said), ...(range === undefined ? {} : { range }),
    }, size.width, size.height);
  }, [film, version, tracks.list, view, cursor, scroll.top, metrics, fog, presenter, language, range, palette, size]);

  const unit = msPerPx(view);
  const trackAt = (y: number) => tracksBetween(tracks.list, y - metrics.ruler + scroll.top, y - metrics.ruler + scroll.top + 0.01)[0];
  const hit = (x: number, y: number) => {
    const track = trackAt(y);
    return track === undefined ? undefined : hitAt(film, track, toTime(view, x), unit);
  };
  usePointer(wrap, {
    cursor, rulerHeight: metrics.ruler, seek: (at) => props.onSeek(Math.round(at)), scrollBy: scroll.by,
    click: (x, y) => {
      const found = hit(x, y);
      const track = trackAt(y);
      if (track !== undefined) tracks.pick(track);
      if (found !== undefined && (found.marks.length > 0 || found.steady)) props.onSeek(found.at);
      else if (found === undefined || track?.podUid === selectedPod || track?.podUid === undefined) props.onSeek(Math.max(0, Math.round(toTime(view, x))));
    },
    hover: (point) => setTip(point === undefined ? undefined : tipAt(point)),
  });
  useWheel(lanes, wrap, scroll.by);

  function tipAt({ x, y }: { x: number; y: number }) {
    if (y < metrics.ruler) {
      const inputs = inputsAt(film, toTime(view, x), unit);
      return inputs.length === 0 ? undefined : { lines: { title: inputs.map((input) => input.value.summary).join(', '), lines: [`${clock(inputs[0]?.at ?? 0)} ${say({ key: 'you-did' })}`] }, x, y };
    }
    const found = hit(x, y);
    if (found === undefined || (fog && found.at > cursor)) return undefined;
    const probe = film.lane(found.track.laneId)?.probe;
    const lines = tipOf(found, say, probe === undefined ? '' : say({ key: probe }));
    return lines === undefined ? undefined : { lines, x, y };
  }

  return (
    <section data-panel="timeline" data-keys="" className={`${styles.timeline} ${presenter ? styles.presenter : ''}`} aria-label={say({ key: 'title' })}>
      {!presenter && <Minimap film={film} version={version} cursor={cursor} selectedPod={selectedPod} fog={fog} say={say} />}
      <div
        ref={lanes} className={styles.lanes}
        onMouseDown={(event) => {
          // The canvas takes the pointer, the tree takes the keys.
          if (event.target instanceof Element && event.target.closest('button') !== null) return;
          event.preventDefault();
          tree.current?.focus({ preventScroll: true });
        }}
        onKeyDown={(event) => {
          const used = handleKey(event, {
            pressedAtMs: event.timeStamp, cursor, filmUntil: filmEnd(film, cursor), moveActive: tracks.move, toggleActive: tracks.toggleActive, pinActive: tracks.pinActive,
            selectedSpan: () => (selectedPod === undefined ? undefined : lifeOf(film, selectedPod)),
          });
          if (used) event.preventDefault();
          if (used) event.stopPropagation();
        }}
      >
        <div className={styles.labels}>
          <div className={styles.ruler}>{!presenter && <><button type="button" tabIndex={-1} className={styles.all} aria-pressed={tracks.showAll} title={say({ key: tracks.showAll ? 'fewer-tracks' : 'all-tracks' })} onClick={() => tracks.setShowAll(!tracks.showAll)}>{say({ key: 'tracks' })}</button><span className={styles.push}>{say({ key: 'at-playhead' })}</span></>}</div>
          <div
            ref={tree} className={styles.rows} tabIndex={0} role="tree" aria-label={say({ key: 'hint' })}
            aria-activedescendant={tracks.activeId === undefined ? undefined : rowId(tracks.activeId)}
          >
            <div role="presentation" style={{ position: 'absolute', left: 0, right: 0, top: 0, height: 0, transform: `translateY(${-scroll.top}px)` }}>
              <Labels
                film={film} tracks={tracksBetween(tracks.list, scroll.top, scroll.top + size.height)} cursor={cursor} activeId={tracks.activeId} say={say}
                onToggle={tracks.toggle} onPick={tracks.pick} onPin={tracks.pin}
              />
            </div>
          </div>
        </div>
        <div ref={wrap} className={styles.canvasWrap}>
          <canvas ref={canvas} aria-hidden="true" />
          {scroll.bar}
          {range !== undefined && !presenter && <RangeSummary film={film} range={range} podUid={selectedPod} view={view} say={say} onClear={() => setRange(undefined)} />}
          {tip !== undefined && <Tooltip tip={tip.lines} x={tip.x} y={tip.y} width={size.width} height={size.height} />}
        </div>
      </div>
      <MomentTable film={film} version={version} cursor={cursor} podUid={selectedPod} language={language} playing={playing} onSeek={props.onSeek} />
    </section>
  );
}

/** From the first to the last known moment of a pod. */
function lifeOf(film: Film, podUid: string): readonly [SimTime, SimTime] | undefined {
  const spans = film.lanes.get(`pod/${podUid}`)?.spans;
  const from = spans?.at[0];
  if (spans === undefined || from === undefined) return undefined;
  const gone = spans.value[spans.value.length - 1] === -1;
  return [from, gone ? spans.at[spans.at.length - 1] ?? film.head : film.head];
}
