import { useCallback } from 'react';
import { actorSaid } from '../../model/lanes/actors.ts';
import { say } from '../../model/format.ts';
import { useLanguage } from '../../parts/i18n.ts';
import { messages } from './messages.ts';

export type ActorName = (actor: string) => string;

/** What an actor is called, in the language of the page. */
export function useActorName(): ActorName {
  const language = useLanguage();
  return useCallback((actor) => say(messages[language], actorSaid(actor)), [language]);
}
