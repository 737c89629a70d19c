import type { ButtonHTMLAttributes, Ref } from 'react';
import { cx } from './cx.ts';
import styles from './parts.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'outline' | 'primary' | 'quiet';
  small?: boolean;
  icon?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = 'plain', small = false, icon = false, className, ...rest }: ButtonProps) {
  return <button type="button" className={cx(styles.btn, look !== 'plain' && styles[look], small && styles.small, icon && styles.icon, className)} {...rest} />;
}

/** A button that is only a glyph: its name is read out and shown as a hint. */
export function IconButton({ label, hint, ...rest }: Omit<ButtonProps, 'icon'> & { label: string; hint?: string | undefined }) {
  return <Button icon aria-label={label} title={hint === undefined ? label : `${label} (${hint})`} {...rest} />;
}

export function Switch({ checked, onChange, children }: { checked: boolean; onChange: (checked: boolean) => void; children: string }) {
  return (
    <button type="button" role="switch" aria-checked={checked} className={styles.switch} onClick={() => onChange(!checked)}>
      <span className={styles.track} />{children}
    </button>
  );
}

export function Rule() {
  return <span className={styles.vr} aria-hidden="true" />;
}
