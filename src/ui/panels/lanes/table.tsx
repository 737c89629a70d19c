import type { Message } from '../../../worker/protocol.ts';
import { clock } from '../../model/format.ts';
import { titleOf } from '../../model/lanes/words.ts';
import { useT } from '../../parts/i18n.ts';
import type { ActorName } from './actor-name.ts';
import { detailOf, outcomeOf } from './detail.tsx';
import { messages as words } from './messages.ts';

const most = 200;

/** The same messages for those who do not see the lines. */
export function MessageTable({ messages, nameOf }: { messages: readonly Message[]; nameOf: ActorName }) {
  const t = useT(words);
  return (
    <div className="sr-only">
      <table>
        <caption>{t('title')}</caption>
        <thead><tr><th>{t('sent')}</th><th>{t('received')}</th><th>{t('from')}</th><th>{t('to')}</th><th>{t('what')}</th><th>{t('detail')}</th></tr></thead>
        <tbody>
          {messages.slice(0, most).map((message) => (
            <tr key={message.id}>
              <td>{clock(message.sentAt, 3)}</td><td>{clock(message.receivedAt, 3)}</td><td>{nameOf(message.from)}</td><td>{nameOf(message.to)}</td><td lang="en">{titleOf(message)}</td>
              <td>{[outcomeOf(message, t), detailOf(message, t)].filter((part) => part !== '').join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
