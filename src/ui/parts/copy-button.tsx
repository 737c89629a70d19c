import { useState } from 'react';
import { Button } from './button.tsx';
import { Glyph } from './glyph.tsx';
import { useT } from './i18n.ts';
import { messages } from './reading-messages.ts';

export function CopyButton({ text, primary = false, label }: { text: () => string; primary?: boolean; label?: string }) {
  const t = useT(messages);
  const [copied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(text()).then(() => {
    setCopied(true);
    setTimeout(() => setCopied(false), 1600);
  });
  const said = copied ? t('copied') : (label ?? t('copy'));
  return <Button small={!primary} look={primary ? 'primary' : 'quiet'} aria-label={said} onClick={copy}><Glyph name={copied ? 'check' : 'copy'} size={14} /><span role="status">{said}</span></Button>;
}
