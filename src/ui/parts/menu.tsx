import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Glyph } from './glyph.tsx';
import styles from './parts.module.css';

export interface MenuItem {
  id: string;
  label: ReactNode;
  /** Ticked: the items of its group are a choice. */
  checked?: boolean;
  disabled?: boolean;
  icon?: string;
}

export interface MenuGroup {
  label?: string;
  items: readonly MenuItem[];
}

export interface MenuProps {
  /** Read out where the face is not a plain word. */
  label?: string;
  face: ReactNode;
  groups: readonly MenuGroup[];
  onChoose: (id: string) => void;
  small?: boolean;
  quiet?: boolean;
  outline?: boolean;
  icon?: boolean;
  align?: 'start' | 'end';
  width?: number;
}

const load = () => import('./menu-list.tsx');
const MenuList = lazy(load);

/** A button that opens a list. The list's code comes after the first paint, or with the first touch. */
export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    let alive = true;
    const later = setTimeout(() => void load().then(() => alive && setReady(true)), 1500);
    return () => {
      alive = false;
      clearTimeout(later);
    };
  }, []);
  const plain = <Face {...props} onClick={() => setWanted(true)} onPointerEnter={() => void load().then(() => setReady(true))} aria-haspopup="menu" aria-expanded={false} />;
  if (!ready && !wanted) return plain;
  return <Suspense fallback={plain}><MenuList {...props} openAtFirst={wanted} /></Suspense>;
}

type FaceProps = MenuProps & { onClick?: () => void; onPointerEnter?: () => void; 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean };

/** What the menu's button looks like, before and after its list is there. */
export function Face({ label, face, small = false, quiet = false, outline = false, icon = false, groups, onChoose, align, width, ...rest }: FaceProps) {
  void [groups, onChoose, align, width];
  return (
    <Button look={outline ? 'outline' : quiet ? 'quiet' : 'plain'} small={small} icon={icon} {...(label === undefined ? {} : { 'aria-label': label, title: label })} {...rest}>
      {face}
      {!icon && <Glyph name="chevron-down" size={12} className={styles.caret} />}
    </Button>
  );
}
