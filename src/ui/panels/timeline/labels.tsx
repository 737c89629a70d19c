import { memo } from 'react';
import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../../model/film/film.ts';
import { splitName } from '../../model/format.ts';
import type { Track } from '../../model/timeline/track.ts';
import { valueAtPlayhead, type ValueAtPlayhead } from '../../model/timeline/value.ts';
import { Glyph, StateGlyph } from '../../parts/glyph.tsx';
import type { Say } from './props.ts';
import styles from './timeline.module.css';

interface LabelsProps {
  film: Film;
  tracks: readonly Track[];
  cursor: SimTime;
  activeId: string | undefined;
  say: Say;
  onToggle: (track: Track) => void;
  onPick: (track: Track) => void;
  onPin: (track: Track) => void;
}

/** The column of names, each with its value at the playhead. Only rows on screen exist. */
export function Labels({ film, tracks, cursor, activeId, say, onToggle, onPick, onPin }: LabelsProps) {
  return tracks.map((track) => {
    const value = valueAtPlayhead(film, track, cursor);
    return (
      <Label
        key={track.id} track={track} top={track.y} height={track.height} active={track.id === activeId} hot={value.hot}
        text={say(value.said)} spoken={value.spoken ?? ''} tone={value.tone ?? ''} icon={value.icon ?? track.icon} name={nameOf(track, say)} say={say} onToggle={onToggle} onPick={onPick} onPin={onPin}
      />
    );
  });
}

export const rowId = (trackId: string): string => `track-${trackId.replaceAll(/[^\w-]/g, '_')}`;

const nameOf = (track: Track, say: Say): string =>
  track.kind === 'events' || track.kind === 'signals' ? say({ key: track.kind }) : track.kind === 'ghost' ? branchName(track.label, say) : track.label;

/** The engine names branches 'main' and 'branch B'. */
function branchName(name: string, say: Say): string {
  const letter = /^branch (.+)$/.exec(name)?.[1];
  return letter === undefined ? (name === 'main' ? say({ key: 'main' }) : name) : say({ key: 'branch', values: { name: letter } });
}

function PodName({ text }: { text: string }) {
  const [head, tail] = splitName(text);
  return <span className={`${styles.podName} ${tail.startsWith('…') ? styles.generated : ''}`}><span>{head}</span>{tail}</span>;
}

interface LabelProps extends Pick<LabelsProps, 'say' | 'onToggle' | 'onPick' | 'onPin'> {
  track: Track;
  top: number;
  height: number;
  active: boolean;
  name: string;
  text: string;
  spoken: string;
  hot: boolean;
  tone: ValueAtPlayhead['tone'] | '';
  icon: string;
}

const Label = memo(function Label({ track, top, height, active, name, text, spoken, hot, tone, icon, say, onToggle, onPick, onPin }: LabelProps) {
  const isPod = track.kind === 'pod';
  const kind = isPod ? styles.pod : track.kind === 'node' ? styles.node : styles.child;
  return (
    <div
      id={rowId(track.id)} role="treeitem" aria-level={isPod || track.podUid === undefined ? 1 : 2} aria-selected={track.selected}
      {...(isPod ? { 'aria-expanded': track.open ?? false } : {})} data-state={tone} title={name}
      className={`${styles.label} ${kind} ${track.selected ? styles.selected : ''} ${track.closes ? styles.closes : ''} ${active ? styles.active : ''}`}
      style={{ top, height }} onClick={() => onPick(track)} onDoubleClick={isPod ? () => onToggle(track) : undefined}
    >
      {isPod && (
        <span
          className={styles.caret} title={say({ key: track.open === true ? 'close' : 'open', values: { name } })}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(track);
          }}
        >
          <Glyph name={track.open === true ? 'chevron-down' : 'chevron-right'} />
        </span>
      )}
      {isPod && tone !== '' && tone !== undefined ? <StateGlyph tone={tone} className={styles.hue ?? ''} /> : <Glyph name={icon} />}
      {isPod ? <PodName text={name} /> : <span className={styles.name}>{name}</span>}
      {isPod && (
        <span
          className={`${styles.pin} ${track.pinned === true ? styles.pinned : ''}`} title={say({ key: track.pinned === true ? 'unpin' : 'pin' })}
          onClick={(event) => {
            event.stopPropagation();
            onPin(track);
          }}
        >
          <Glyph name="pin" />
        </span>
      )}
      <span className={`${styles.value} ${hot ? styles.hot : ''}`}>{text}</span>
      {spoken !== '' && <span className="sr-only">{spoken}</span>}
    </div>
  );
});
