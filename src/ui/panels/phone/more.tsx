import type { ReactNode } from 'react';
import { catalog } from '../../../scenarios/catalog.ts';
import { Switch } from '../../parts/button.tsx';
import { useLanguage, useT } from '../../parts/i18n.ts';
import { Menu } from '../../parts/menu.tsx';
import { useFilm } from '../../store/film.ts';
import { setSkipIdle, usePlayback } from '../../store/playback.ts';
import { exampleById, openExample } from '../../store/scenario.ts';
import { useSession } from '../../store/session.ts';
import { messages } from './messages.ts';
import styles from './phone.module.css';
export function MoreView({ details }: { details: ReactNode }) {
  const t = useT(messages);
  const zh = useLanguage() === 'zh';
  const example = exampleById(useSession((state) => state.example));
  const title = example === undefined ? t('examples') : zh ? example.titleZh : example.title;
  const film = useFilm();
  const skipIdle = usePlayback((state) => state.skipIdle);
  const groups = [{ label: t('examples'), items: catalog.map((item) => ({ id: item.id, label: zh ? item.titleZh : item.title, checked: item.id === example?.id })) }];
  return (
    <>
      <div className={styles.more}>
        <Menu outline label={`${t('examples')}: ${title}`} face={title} groups={groups} onChoose={(id) => void openExample(id, { playing: true })} />
        <Switch checked={skipIdle} onChange={setSkipIdle}>{t('skip-idle')}</Switch>
        <span className="i3">{t('version', { seed: film.seed })}</span>
      </div>
      <div className={styles.details}>{details}</div>
    </>
  );
}
