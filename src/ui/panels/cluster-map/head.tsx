import { useRef, useState } from 'react';
import type { Density } from '../../model/map/geometry.ts';
import type { Say } from './context.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Glyph } from '../../parts/glyph.tsx';
import { Menu } from '../../parts/menu.tsx';
import styles from './map.module.css';

interface MapHeadProps {
  say: Say;
  pods: number;
  nodes: number;
  density: Density | 'auto';
  actual: Density;
  onDensity: (density: Density | 'auto') => void;
  filter: string;
  onFilter: (filter: string) => void;
  matching: number | undefined;
  onFit: () => void;
}

const choices = ['auto', 'full', 'compact', 'square'] as const;

export function MapHead({ say, pods, nodes, density, actual, onDensity, filter, onFilter, matching, onFit }: MapHeadProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    onFilter('');
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className={styles.clusterHead}>
      <strong className={styles.ink1}>{say({ key: 'title' })}</strong>
      <span role="status">{matching === undefined ? say({ key: 'pods-nodes', values: { pods: say({ key: 'pods', values: { count: pods } }), nodes: say({ key: 'nodes-count', values: { count: nodes } }) } }) : say({ key: 'matches', values: { count: matching, total: pods } })}</span>
      <span className={styles.push} />
      <Menu
        small quiet align="end" label={`${say({ key: 'density' })}: ${say({ key: actual })}`} face={say({ key: actual })} onChoose={(id) => onDensity(id as Density | 'auto')}
        groups={[{ label: say({ key: 'density' }), items: choices.map((choice) => ({ id: choice, label: say({ key: choice }), checked: choice === density })) }]}
      />
      {open || filter !== ''
        ? (
          <input
            className={styles.filter} value={filter} autoFocus aria-label={say({ key: 'filter-label' })} placeholder={say({ key: 'filter' })} onChange={(event) => onFilter(event.target.value)}
            onKeyDown={(event) => {
              event.stopPropagation();
              if (event.key === 'Escape') close();
            }}
            onBlur={() => setOpen(false)}
          />
        )
        : <Button ref={button} small look="quiet" data-action="filter-pods" onClick={() => setOpen(true)}><Glyph name="filter" size={14} />{say({ key: 'filter' })}<kbd>/</kbd></Button>}
      <IconButton small look="quiet" label={say({ key: 'fit' })} onClick={onFit}><Glyph name="fit" size={14} /></IconButton>
    </div>
  );
}
