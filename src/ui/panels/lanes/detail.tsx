import type { Message } from '../../../worker/protocol.ts';
import type { SimTime } from '../../../sim/time.ts';
import { clock, length } from '../../model/format.ts';
import { isFailure, statusOf, titleOf } from '../../model/lanes/words.ts';
import { IconButton } from '../../parts/button.tsx';
import { Glyph } from '../../parts/glyph.tsx';
import { useT, type Translate } from '../../parts/i18n.ts';
import { seek } from '../../store/playback.ts';
import type { ActorName } from './actor-name.ts';
import styles from './lanes.module.css';
import { messages, type LanesMessage } from './messages.ts';

/** The chosen message in a line: what, from whom to whom, when, what came of it. Read out when it changes. */
export function Detail({ message, question, cursor, nameOf, onClear }: { message: Message | undefined; question: Message | undefined; cursor: SimTime; nameOf: ActorName; onClear: () => void }) {
  const t = useT(messages);
  if (message === undefined) return <div className={styles.detail}><div role="status"><span className="i3">{t('choose')}</span></div></div>;
  const { sentAt, receivedAt } = message;
  return (
    <div className={styles.detail}><div role="status">
      <b lang="en" className={isFailure(message) ? styles.failed : undefined}>{titleOf(message)}</b>
      <span className={styles.route}>{nameOf(message.from)} → {nameOf(message.to)}</span>
      <span className="tn"><Moment word={t('sent')} at={sentAt} t={t} />{receivedAt > sentAt && <> – <Moment word={t('received')} at={receivedAt} t={t} />, {length(receivedAt - sentAt)}</>}</span>
      {cursor < receivedAt && <span>{t(cursor < sentAt ? 'future' : 'flight')}</span>}
      {message.revision !== undefined && <span className="tn">{`rev ${message.revision}`}</span>}
      {outcomeOf(message, t) !== '' && <span className="tn">{outcomeOf(message, t)}</span>}
      {question !== undefined && <span className={styles.long}>{t('response', { title: titleOf(question) })}</span>}
      {detailOf(message, t) !== '' && <span className={styles.long} title={detailOf(message, t)}>{detailOf(message, t)}</span>}
      </div><IconButton small label={t('close')} className={styles.clear} onClick={onClear}><Glyph name="close" size={12} /></IconButton>
    </div>
  );
}

function Moment({ word, at, t }: { word: string; at: SimTime; t: Translate<LanesMessage> }) {
  return <button type="button" className={styles.moment} title={`${word}. ${t('jump-to', { at: clock(at, 3) })}`} onClick={() => seek(at)}><span className="sr-only">{word} </span>{clock(at, 3)}</button>;
}

export function outcomeOf(message: Message, t: Translate<LanesMessage>): string {
  const { kind, code } = message;
  if (kind === 'command') return code === undefined ? '' : t('exit', { code });
  if (kind === 'cri-reply') return code === 0 ? t('cri-ok') : code === undefined ? '' : t('cri-error');
  if (kind === 'request') return code === undefined ? t('no-wait') : statusOf(message);
  return kind === 'response' ? '' : statusOf(message);
}

/** What it says beyond its title. */
export function detailOf(message: Message, t: Translate<LanesMessage>): string {
  const { kind, detail = '', resource } = message;
  if (kind === 'list') return t('list-text');
  if (detail === '' || kind === 'command') return '';
  if (kind === 'response' || kind === 'cri' || kind === 'cri-reply') return detail;
  return t(resource === 'events' ? 'event-detail' : 'changed', { detail });
}
