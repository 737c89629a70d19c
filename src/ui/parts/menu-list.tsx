import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { Glyph } from './glyph.tsx';
import { Face, type MenuProps } from './menu.tsx';
import styles from './parts.module.css';

export default function MenuList({ openAtFirst, ...props }: MenuProps & { openAtFirst: boolean }) {
  const [open, setOpen] = useState(openAtFirst);
  const { groups, onChoose, align = 'start', width } = props;
  return (
    <DropdownMenu.Root open={open} onOpenChange={setOpen} modal={false}>
      <DropdownMenu.Trigger asChild><Face {...props} /></DropdownMenu.Trigger>
      <DropdownMenu.Portal container={document.querySelector('main') ?? document.body}>
        <DropdownMenu.Content className={styles.menu} align={align} sideOffset={4} collisionPadding={8} {...(width === undefined ? {} : { style: { width } })}>
          {groups.map((group, index) => (
            <DropdownMenu.Group key={group.label ?? index}>
              {index > 0 && <DropdownMenu.Separator className={styles.menuRule} />}
              {group.label !== undefined && <DropdownMenu.Label className={styles.menuLabel}>{group.label}</DropdownMenu.Label>}
              {group.items.map((item) => <Item key={item.id} item={item} onChoose={onChoose} />)}
            </DropdownMenu.Group>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Item({ item, onChoose }: { item: MenuProps['groups'][number]['items'][number]; onChoose: (id: string) => void }) {
  const shared = { className: styles.item, disabled: item.disabled ?? false, onSelect: () => onChoose(item.id) };
  const icon = item.icon === undefined ? null : <Glyph name={item.icon} size={14} />;
  if (item.checked === undefined) return <DropdownMenu.Item {...shared}>{icon}{item.label}</DropdownMenu.Item>;
  return (
    <DropdownMenu.CheckboxItem {...shared} checked={item.checked}>
      <span className={styles.check}>{item.checked && <Glyph name="check" size={14} />}</span>{icon}{item.label}
    </DropdownMenu.CheckboxItem>
  );
}
