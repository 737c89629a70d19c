import { useMemo, useRef, useState } from 'react';
import type { ApiObject } from '../../api/resources.ts';
import { clock } from '../model/format.ts';
import { useObject } from '../store/answers.ts';
import { useCalmCursor } from '../store/playback.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { cx } from './cx.ts';
import { Glyph } from './glyph.tsx';
import { useT } from './i18n.ts';
import { messages } from './reading-messages.ts';
import styles from './reading.module.css';
import type { Subject } from './subject.ts';
import { yamlLines } from './yaml-text.ts';

/** The object as it was at the playhead; lines that its last change touched are marked. */
export function YamlView({ subject }: { subject: Subject }) {
  const t = useT(messages);
  const [managed, setManaged] = useState(false);
  const cursor = useCalmCursor();
  const { object, before, changedAt, loading } = useObject(subject.resource, subject.namespace, subject.name, cursor);
  const lines = useMemo(() => yamlLines(shown(object, managed)), [object, managed]);
  const changed = useMemo(() => {
    if (before === undefined || object === undefined) return new Set<string>();
    const old = new Map(yamlLines(shown(before, managed)).map((line) => [line.path, line.text]));
    return new Set(lines.filter((line) => old.get(line.path) !== line.text && !line.path.endsWith('.resourceVersion')).map((line) => line.path));
  }, [before, object, lines, managed]);
  const text = useRef<HTMLPreElement>(null);
  const turn = useRef(0);
  const nextChanged = () => {
    const marks = text.current?.querySelectorAll('[data-changed="true"]') ?? [];
    marks[turn.current % Math.max(1, marks.length)]?.scrollIntoView({ block: 'center' });
    turn.current += 1;
  };
  if (object === undefined) return <div className={styles.center} role="status">{t(loading ? 'loading' : 'gone')}</div>;
  return (
    <>
      <div className={styles.bar}>
        {before === undefined || changed.size === 0
          ? <span className="tn clip">{t('no-change', { at: clock(changedAt ?? 0) })}</span>
          : <Button small look="quiet" title={t('next-changed-line')} onClick={nextChanged}><span className="tn">{t('changed-lines', { count: changed.size, at: clock(changedAt ?? 0) })}</span><Glyph name="chevron-down" size={12} /></Button>}
        <span className="push" />
        <Button small look="quiet" aria-pressed={managed} onClick={() => setManaged(!managed)}>{t('managed-fields')}</Button>
        <CopyButton text={() => `${lines.map((line) => line.text).join('\n')}\n`} />
      </div>
      <pre ref={text} className={styles.pre} tabIndex={0} lang="en" aria-label={`${subject.kind} ${subject.name} YAML`}>
        {lines.map((line) => <i key={line.path} data-changed={changed.has(line.path)} className={cx(changed.has(line.path) && styles.changed)}><Line text={line.text} /></i>)}
      </pre>
    </>
  );
}

function shown(object: ApiObject | undefined, managed: boolean): ApiObject | undefined {
  if (object === undefined || managed || object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function Line({ text }: { text: string }) {
  const match = /^(\s*(?:- )*)([\w./"'~@-]+)(:)(\s*)(.*)$/.exec(text);
  if (match === null) return <span className={styles.value}>{text === '' ? '\n' : text}</span>;
  return <><span className={styles.punct}>{match[1]}</span><span className={styles.key}>{match[2]}</span><span className={styles.punct}>{match[3]}</span>{match[4]}<span className={styles.value}>{match[5]}</span></>;
}
