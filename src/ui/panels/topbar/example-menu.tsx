import { catalog, type CatalogEntry } from '../../../scenarios/catalog.ts';
import { useLanguage, useT } from '../../parts/i18n.ts';
import { Menu, type MenuGroup } from '../../parts/menu.tsx';
import { useFilm } from '../../store/film.ts';
import { exampleById, openExample } from '../../store/scenario.ts';
import { keep } from '../../store/persist.ts';
import { useSession } from '../../store/session.ts';
import { messages } from './messages.ts';
import styles from './topbar.module.css';

/** The examples in their groups, each with what it shows and how it ends. */
export function ExampleMenu() {
  const t = useT(messages);
  const zh = useLanguage() === 'zh';
  const example = useSession((state) => state.example);
  const title = useFilm().title;
  const entry = exampleById(example);
  const face = entry === undefined ? (title === '' ? t('examples') : title) : zh ? entry.titleZh : entry.title;
  const groups: MenuGroup[] = [];
  for (const item of catalog) {
    const label = zh ? item.groupZh : item.group;
    const group = groups.find((known) => known.label === label);
    const row = { id: item.id, checked: item.id === example, label: <Entry entry={item} zh={zh} ending={t('ends-with', { ending: zh ? item.endingZh : item.ending })} /> };
    if (group === undefined) groups.push({ label, items: [row] });
    else group.items = [...group.items, row];
  }
  const choose = (id: string) => {
    keep('example', id);
    history.replaceState(null, '', location.pathname);
    void openExample(id, { playing: true });
  };
  return <Menu label={`${t('examples')}: ${face}`} face={<span className="clip">{face}</span>} groups={groups} onChoose={choose} width={400} />;
}

function Entry({ entry, zh, ending }: { entry: CatalogEntry; zh: boolean; ending: string }) {
  return (
    <span className={styles.entry}>
      <b>{zh ? entry.titleZh : entry.title}</b>
      <span>{zh ? entry.summaryZh : entry.summary}</span>
      <small>{ending}</small>
    </span>
  );
}
