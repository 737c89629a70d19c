import { Switch } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useT } from '../../parts/i18n.ts';
import { setView, useView } from '../../store/view.ts';
import styles from './keys.module.css';
import { messages } from './messages.ts';

type Key = keyof (typeof messages)['en'];

const groups: readonly [title: Key, rows: readonly [keys: readonly string[], what: Key][]][] = [
  ['playback', [
    [['Space'], 'play'], [['→', '←'], 'next-selected'], [['Shift', '→', '←'], 'next-transition'], [['.', ','], 'step'], [['PgDn', 'PgUp'], 'step'], [['Home', 'End'], 'ends'], [['[', ']'], 'slower'],
  ]],
  ['view', [
    [['Ctrl', 'K'], 'palette'], [['/'], 'filter'], [['L', 'Y', 'D', 'E'], 'tabs'], [['K'], 'faults'], [['Q'], 'drawer'], [['V'], 'full'], [['Shift', 'P'], 'present'], [['F6'], 'panel'], [['?'], 'help'], [['Esc'], 'escape'],
  ]],
  ['timeline', [[['↑', '↓'], 'tracks'], [['W', 'S'], 'zoom'], [['A', 'D'], 'pan'], [['F'], 'centre'], [['0'], 'fit-all'], [['Z'], 'zoom-back'], [['P'], 'pin']]],
  ['editor', [[['Ctrl', '↵'], 'apply'], [['Ctrl', 'M'], 'tab-moves'], [['Ctrl', 'Space'], 'complete'], [['Ctrl', '.'], 'fix'], [['Shift', 'Alt', 'F'], 'format']]],
];

export function Keys() {
  const t = useT(messages);
  const globalKeys = useView((state) => state.globalKeys);
  return (
    <Dialog title={t('title')} closeLabel={t('close')} onClose={() => setView({ dialog: undefined })}>
      <div className={styles.grid}>
        {groups.map(([title, rows]) => (
          <section key={title}>
            <h3>{t(title)}</h3>
            <dl>{rows.map(([keys, what]) => <Row key={keys.join(' ')} keys={keys} what={t(what)} />)}</dl>
          </section>
        ))}
      </div>
      <div className={styles.foot}><Switch checked={globalKeys} onChange={(on) => setView({ globalKeys: on })}>{t('global')}</Switch><span className="i3">{t('global-text')}</span></div>
    </Dialog>
  );
}

function Row({ keys, what }: { keys: readonly string[]; what: string }) {
  return <><dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt><dd>{what}</dd></>;
}
