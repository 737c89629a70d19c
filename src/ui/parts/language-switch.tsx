import { setView, useView } from '../store/view.ts';
import styles from './parts.module.css';

export function LanguageSwitch({ label }: { label: string }) {
  const language = useView((state) => state.language);
  return (
    <span className={styles.seg} role="group" aria-label={label}>
      <button type="button" lang="en" aria-pressed={language === 'en'} onClick={() => setView({ language: 'en' })}>EN</button>
      <button type="button" lang="zh-CN" aria-pressed={language === 'zh'} onClick={() => setView({ language: 'zh' })}>中文</button>
    </span>
  );
}
