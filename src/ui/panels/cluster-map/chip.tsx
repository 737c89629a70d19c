import { memo, type MouseEvent } from 'react';
import { splitName } from '../../model/format.ts';
import { chipAt, type Chip as ChipModel } from '../../model/map/chip.ts';
import { footAt, type Foot } from '../../model/map/foot.ts';
import { podStamp, squareStamp, useMap, useMapReader, type Say } from './context.ts';
import { Arc } from '../../parts/arc.tsx';
import { Glyph, StateGlyph } from '../../parts/glyph.tsx';
import styles from './map.module.css';

/** A pod: glyph box, name, status word, ready count; containers in start order; one line of time. */
export const Chip = memo(function Chip({ uid, size }: { uid: string; size: 'full' | 'compact' }) {
  useMap((state) => podStamp(state, uid));
  const film = useMap((state) => state.film);
  const say = useMap((state) => state.say);
  const read = useMapReader();
  const chip = chipAt(film, uid, read().cursor);
  const handlers = useChipHandlers(uid);
  if (chip === undefined) return null;
  const full = size === 'full';
  return (
    <div
      {...handlers} role="button" title={chip.namespace === '' ? chip.name : `${chip.namespace}/${chip.name}`} data-state={chip.tone} data-pod={chip.name}
      className={`${styles.chip} ${full ? '' : styles.compact} ${handlers['aria-pressed'] ? styles.on : ''}`}
    >
      <i key={`glow ${chip.tone}`} className={styles.glow} />
      <div className={styles.head}>
        <span className={styles.glyphBox} key={chip.tone}><StateGlyph tone={chip.tone} /></span>
        <Name text={chip.name} />
        {full && <span className={styles.ready}>{chip.ready}</span>}
        {full && <span className={styles.status}>{say(chip.status)}</span>}
      </div>
      {full && <Cells chip={chip} say={say} />}
      {full && <FootLine chip={chip} />}
    </div>
  );
});

export const Square = memo(function Square({ uid }: { uid: string }) {
  useMap((state) => squareStamp(state, uid));
  const film = useMap((state) => state.film);
  const say = useMap((state) => state.say);
  const read = useMapReader();
  const chip = chipAt(film, uid, read().cursor);
  const handlers = useChipHandlers(uid);
  if (chip === undefined) return <span className={styles.squareGap} />;
  return (
    <div {...handlers} role="button" aria-label={label(chip, say)} title={label(chip, say)} data-state={chip.tone} data-pod={chip.name} className={`${styles.square} ${handlers['aria-pressed'] ? styles.on : ''}`}>
      <i key={chip.tone} className={styles.glow} />
      <StateGlyph tone={chip.tone} />
    </div>
  );
});

export function Name({ text }: { text: string }) {
  const [head, tail] = splitName(text, 0);
  return <span className={`${styles.name} ${tail.startsWith('…') ? styles.generated : ''}`}><span>{head}</span>{tail}</span>;
}

const label = (chip: ChipModel, say: Say): string => say({ key: 'chip-label', values: { name: chip.name, status: say(chip.status), ready: chip.ready } });

function useChipHandlers(uid: string) {
  const selected = useMap((state) => state.selectedPod === uid);
  const focusable = useMap((state) => state.selectedPod === uid || state.selectedPod === undefined);
  const dimmed = useMap((state) => state.filter !== '' && !(state.film.lane(`pod/${uid}`)?.label ?? '').includes(state.filter));
  const select = useMap((state) => state.onSelectPod);
  const menu = useMap((state) => state.onMenu);
  return {
    'aria-pressed': selected, tabIndex: focusable ? 0 : -1, 'data-uid': uid, 'data-dimmed': dimmed ? '' : undefined,
    onClick: () => select(uid),
    onContextMenu: (event: MouseEvent) => {
      if (menu === undefined) return;
      event.preventDefault();
      menu(uid, event.clientX, event.clientY);
    },
  };
}

const shownCells = 4;

function Cells({ chip, say }: { chip: ChipModel; say: Say }) {
  const rest = chip.cells.length - shownCells;
  const cells = rest > 0 ? [...chip.cells.slice(0, shownCells - 1), ...chip.cells.slice(-1)] : chip.cells;
  return (
    <div className={styles.cells}>
      {cells.map((cell, index) => (
        <span
          key={`${cell.role}/${cell.id}`} data-state={cell.tone} title={cell.role === 'pause' ? 'pause' : cell.id}
          className={`${styles.cell} ${cell.role === 'pause' ? styles.pause : ''} ${index === cells.length - 1 && cell.role !== 'pause' ? styles.last : ''}`}
        >
          {cell.role === 'pause' ? <Glyph name="role-pause" /> : <StateGlyph tone={cell.tone} />}
          {cell.role !== 'pause' && <span>{say(cell.label)}</span>}
        </span>
      ))}
      {rest > 0 && <span className={styles.cell}>+{rest}</span>}
    </div>
  );
}

/** The only part of a chip that moves with the cursor. */
function FootLine({ chip }: { chip: ChipModel }) {
  const film = useMap((state) => state.film);
  const cursor = useMap((state) => state.cursor);
  const say = useMap((state) => state.say);
  return <FootView foot={footAt(film, chip, cursor)} say={say} />;
}

export function FootView({ foot, say }: { foot: Foot; say: Say }) {
  return (
    <div className={styles.foot}>
      {foot.dials.map((dial) => (
        <span key={dial.probe} className={`${styles.dial} ${styles[dial.outcome]} ${dial.share === undefined ? styles.done : ''}`}>
          {dial.share !== undefined && <span className={styles.arc}><Arc size={18} share={dial.share} width={1.25} /></span>}
          <Glyph name={`${dial.probe}-${dial.outcome}`} />
        </span>
      ))}
      <span className={foot.dials.length > 0 ? styles.push : ''}>{say(foot.text)}</span>
      {foot.left !== undefined && (
        <span className={`${styles.push} ${styles.left}`}>{foot.left}<span className={styles.hue}>{foot.arc !== undefined && <Arc size={14} share={foot.arc} width={2} />}</span></span>
      )}
    </div>
  );
}
