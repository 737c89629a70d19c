import { useAnswer } from '../store/answers.ts';
import { useFilm } from '../store/film.ts';
import { useCalmCursor, usePlayback } from '../store/playback.ts';
import { CopyButton } from './copy-button.tsx';
import { useT } from './i18n.ts';
import { messages } from './reading-messages.ts';
import styles from './reading.module.css';
import type { Subject } from './subject.ts';

/** What kubectl describe prints at the playhead. */
export function DescribeView({ subject }: { subject: Subject }) {
  const t = useT(messages);
  const film = useFilm();
  const calm = useCalmCursor();
  const playing = usePlayback((state) => state.playing);
  // A whole cluster is asked: while playing once a second is enough.
  const at = playing ? Math.floor(calm / 1000) * 1000 : calm;
  const line = `describe ${subject.word} ${subject.name}${subject.namespace === '' ? '' : ` -n ${subject.namespace}`}`;
  const answer = useAnswer<'kubectl'>({ about: 'kubectl', line, at: Math.min(at, film.head) }, `/${film.branch}`);
  const text = answer.value === undefined ? undefined : answer.value.exit === 0 ? answer.value.stdout : answer.value.stderr;
  if (text === undefined) return <div className={styles.center} role="status">{answer.error ?? t('loading')}</div>;
  return (
    <>
      <div className={styles.bar}><code className="mono clip" lang="en">{t('asks-kubectl', { name: `${subject.word} ${subject.name}` })}</code><span className="push" /><CopyButton text={() => text} /></div>
      <pre className={styles.pre} tabIndex={0} lang="en" aria-label={t('asks-kubectl', { name: subject.name })}>{text}</pre>
    </>
  );
}
