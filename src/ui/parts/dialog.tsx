import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { Glyph } from './glyph.tsx';
import styles from './parts.module.css';

interface DialogProps {
  title: string;
  closeLabel: string;
  onClose: () => void;
  /** Without a visible head: the title is read out only. */
  bare?: boolean;
  children: ReactNode;
}

/** A modal window. Import lazily: its code is not part of the first view. */
export function Dialog({ title, closeLabel, onClose, bare = false, children }: DialogProps) {
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Radix.Content className={styles.dialog} aria-describedby={undefined}>
          {bare ? <Radix.Title className="sr-only">{title}</Radix.Title> : (
            <div className={styles.dialogHead}>
              <Radix.Title>{title}</Radix.Title>
              <span className="push" />
              <Radix.Close asChild><IconButton label={closeLabel} look="quiet"><Glyph name="close" size={14} /></IconButton></Radix.Close>
            </div>
          )}
          {bare ? children : <div className={styles.dialogBody}>{children}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
