import type { Lane, WhyStep } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import { countBefore } from '../../model/film/series.ts';
import { clock, length } from '../../model/format.ts';
import { say } from '../../model/format.ts';
import { useLanguage, useT, type Translate } from '../../parts/i18n.ts';
import { useAnswer } from '../../store/answers.ts';
import { useFilm } from '../../store/film.ts';
import { seek, useCalmCursor } from '../../store/playback.ts';
import styles from './inspector.module.css';
import { messages, type InspectorMessage } from './messages.ts';
import { messages as whyMessages } from '../../parts/why-messages.ts';
import { factSaid, whySentence, worthTelling } from '../../parts/why-model.ts';

const shown = 5;

/** Why it is as it is: one sentence, then the links of the chain, oldest first. */
export function Why({ lane }: { lane: Lane }) {
  const t = useT(messages);
  const language = useLanguage();
  const film = useFilm();
  const cursor = useCalmCursor();
  const starts = film.lanes.get(lane.id)?.spans.at ?? [];
  const since = starts[countBefore(starts, cursor, true) - 1];
  const answer = useAnswer<'why'>(since === undefined ? undefined : { about: 'why', lane: lane.id, at: since }, `/${film.branch}`);
  if (since === undefined || lane.podUid === undefined) return null;
  const words = whyMessages[language];
  const chain = worthTelling(answer.value?.chain ?? [], shown);
  const here = chain.reduce((found, step, index) => (step.at <= since ? index : found), -1);
  return (
    <section className={styles.why} aria-labelledby="why-title">
      <h3 id="why-title">{t('why')}<span className="push tn">{cursor === since ? t('at-moment') : t('ago', { length: length(Math.max(0, cursor - since)) })}</span></h3>
      <p>{say(words, whySentence(film, lane.podUid, cursor))}</p>
      {chain.length > 0 && (
        <ol className={styles.chain}>
          {chain.map((step, index) => (
            <Link key={`${step.at} ${step.fact} ${index}`} step={step} here={index === here} t={t} text={say(words, factSaid(step, (probe) => (probe in words ? words[probe as 'liveness'] : probe)))} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Link({ step, here, text, t }: { step: WhyStep; here: boolean; text: string; t: Translate<InspectorMessage> }) {
  const jump = (at: SimTime) => seek(at);
  return (
    <li className={here ? styles.here : undefined}>
      <button type="button" title={t('jump-to', { at: clock(step.at) })} {...(here ? { 'aria-current': 'step' as const } : {})} onClick={() => jump(step.at)}>
        <span className={styles.dot} /><span>{text}<span className={styles.who} lang="en">{step.actor === 'user' || step.fact === 'input' ? t('input') : step.actor.replace('/', ', ')}</span></span><time>{clock(step.at)}</time>
      </button>
    </li>
  );
}
