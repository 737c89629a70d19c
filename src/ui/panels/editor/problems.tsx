import { useState } from 'react';
import type { Problem } from '../../../worker/protocol.ts';
import { Button } from '../../parts/button.tsx';
import { Glyph } from '../../parts/glyph.tsx';
import { useT } from '../../parts/i18n.ts';
import { applyFix, type EditorFile } from '../../store/editor.ts';
import styles from './editor.module.css';
import { goToLine } from './go-to-line.ts';
import { messages } from './messages.ts';

const looks = { error: { icon: 'close', tone: 'bad' }, warning: { icon: 'warning', tone: 'warn' }, info: { icon: 'info', tone: 'i3' } } as const;

function origin({ source, severity }: Problem): keyof (typeof messages)['en'] {
  if (source === 'kubelapse') return severity === 'info' ? 'by-kubelapse' : 'remark';
  if (severity !== 'error') return source === 'apiserver' ? 'warning' : 'remark';
  return source === 'yaml' ? 'by-yaml' : source === 'kubectl' ? 'by-kubectl' : 'by-apiserver';
}

const shown = 3;

/** What the API server would say, at its line, with repairs as buttons. */
export function ProblemList({ file }: { file: EditorFile }) {
  const t = useT(messages);
  const [all, setAll] = useState(false);
  const { problems } = file;
  if (problems.length === 0) return <span className="sr-only" role="status">{file.checking ? '' : t('no-problems')}</span>;
  const visible = all ? problems : problems.slice(0, shown);
  const errors = problems.filter((problem) => problem.severity === 'error').length;
  return (
    <div className={styles.list}>
      <span className="sr-only" role="status">{file.checking ? '' : problems.length === 1 ? t('one-problem') : t('problems', { count: problems.length })}</span>
      {visible.map((problem, index) => (
        <div key={`${problem.line} ${problem.message}`} className={styles.problem}>
          <Glyph name={looks[problem.severity].icon} className={looks[problem.severity].tone} />
          <div className={styles.head}>
            {index === 0 && errors > 0 && <b>{errors === 1 ? t('one-problem') : t('problems', { count: errors })}</b>}
            <button type="button" className={styles.goto} aria-label={t('go-to-line', { line: problem.line })} onClick={() => goToLine(problem.line, problem.column)}>{t('line', { line: problem.line })}, {t(origin(problem))}</button>
          </div>
          <code lang="en">{problem.message}</code>
          {problem.fix !== undefined && (
            <div className={styles.fixes}><Button small look="outline" onClick={() => problem.fix !== undefined && applyFix(file.id, problem.fix)}><span lang="en">{t('fix', { title: problem.fix.title })}</span></Button></div>
          )}
        </div>
      ))}
      {problems.length > shown && <div className={styles.more}><Button small look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>{all ? t('fewer') : t('more-problems', { count: problems.length - shown })}</Button></div>}
    </div>
  );
}
