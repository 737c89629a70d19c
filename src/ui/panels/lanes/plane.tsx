import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { SimTime } from '../../../sim/time.ts';
import { clock, length } from '../../model/format.ts';
import { lineAt, linesOf, worksOf } from '../../model/lanes/lines.ts';
import { titleOf } from '../../model/lanes/words.ts';
import { msPerPx, toTime, type Viewport } from '../../model/timeline/track.ts';
import { prepare, usePalette, useSize } from '../../parts/use-canvas.ts';
import { panWindow, viewportStore, zoomBy } from '../../store/viewport.ts';
import type { Message } from '../../../worker/protocol.ts';
import styles from './lanes.module.css';
import { drawLanes } from './paint.ts';
import type { ActorName } from './actor-name.ts';

interface PlaneProps {
  messages: readonly Message[];
  rows: readonly string[];
  rowHeight: number;
  view: Viewport;
  cursor: SimTime;
  selected: string | undefined;
  nameOf: ActorName;
  onWidth: (width: number) => void;
  onSelect: (message: Message) => void;
  onSeek: (at: SimTime) => void;
}

const clickPx = 4;

/** The lines. Drag moves the window, a click takes a message or moves the playhead. */
export function Plane(props: PlaneProps) {
  const { messages, rows, rowHeight, view, cursor, selected, nameOf, onWidth } = props;
  const wrap = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = usePalette(wrap);
  const size = useSize(wrap);
  const [hover, setHover] = useState<{ message: Message; x: number; y: number }>();
  const drag = useRef<{ x: number; moved: boolean } | undefined>(undefined);
  useEffect(() => onWidth(size.width), [size.width, onWidth]);
  const lines = linesOf(messages, rows, rowHeight, view, cursor);

  useLayoutEffect(() => {
    if (canvas.current === null || palette === undefined || size.width === 0) return;
    const c = prepare(canvas.current, size);
    if (c !== null) drawLanes(c, palette, { lines, works: worksOf(messages, rows, rowHeight, view, cursor), rows: rows.length, rowHeight, view, cursor, selected, hovered: hover?.message.id }, size.width, size.height);
  });
  useWheel(wrap);

  const point = (event: React.PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  return (
    <div
      ref={wrap} className={styles.plane} style={{ height: rows.length * rowHeight }} data-over={hover !== undefined}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, moved: false };
      }}
      onPointerMove={(event) => {
        const held = drag.current;
        if (held !== undefined) {
          const dx = event.clientX - held.x;
          if (!held.moved && Math.abs(dx) < clickPx) return;
          drag.current = { x: event.clientX, moved: true };
          setHover(undefined);
          return panWindow(-dx * msPerPx(view));
        }
        const at = point(event);
        const found = lineAt(lines, at.x, at.y)?.message;
        setHover(found === undefined ? undefined : { message: found, ...at });
      }}
      onPointerUp={(event) => {
        const moved = drag.current?.moved ?? true;
        drag.current = undefined;
        if (moved) return;
        const at = point(event);
        const found = lineAt(lines, at.x, at.y);
        if (found === undefined) props.onSeek(Math.max(0, Math.round(toTime(view, at.x))));
        else props.onSelect(found.message);
      }}
      onPointerCancel={() => {
        drag.current = undefined;
      }}
      onPointerLeave={() => setHover(undefined)}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {hover !== undefined && <Tip message={hover.message} x={hover.x} y={hover.y} width={size.width} height={size.height} nameOf={nameOf} />}
    </div>
  );
}

function Tip({ message, x, y, width, height, nameOf }: { message: Message; x: number; y: number; width: number; height: number; nameOf: ActorName }) {
  const { sentAt, receivedAt, revision } = message;
  return (
    <div className={styles.tip} aria-hidden="true" style={{ ...(x > width / 2 ? { right: width - x + 12 } : { left: x + 12 }), ...(y > height - 80 ? { bottom: height - y + 10 } : { top: y + 12 }) }}>
      <b lang="en">{titleOf(message)}</b>
      <span>{nameOf(message.from)} → {nameOf(message.to)}</span>
      <span className="tn">{clock(sentAt, 3)}{receivedAt > sentAt ? `, ${length(receivedAt - sentAt)}` : ''}{revision === undefined ? '' : `, rev ${revision}`}</span>
    </div>
  );
}

/** Ctrl or Cmd with the wheel zooms at the pointer, sideways and Shift pan; else the rows scroll as they do. */
function useWheel(ref: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const wheel = (event: WheelEvent) => {
      const box = element.getBoundingClientRect();
      const view = { ...viewportStore.getState().view, widthPx: box.width };
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!sideways && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) zoomBy(Math.min(4, Math.max(0.25, 2 ** (-event.deltaY / 180))), toTime(view, event.clientX - box.left));
      else panWindow((event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX) * msPerPx(view));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [ref]);
}
