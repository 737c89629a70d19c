import { useCallback } from 'react';
import { say, type Said } from '../model/format.ts';
import { useView, type Language } from '../store/view.ts';

/** Words of a panel in both languages. `zh` is typed by the keys of `en`: a missing word does not compile. */
export interface Messages<K extends string> {
  en: Readonly<Record<K, string>>;
  zh: Readonly<Record<K, string>>;
}

export type Values = Record<string, string | number>;
export type Translate<K extends string> = (key: K, values?: Values) => string;

export function translate<K extends string>(messages: Messages<K>, language: Language, key: K, values?: Values): string {
  const said: Said<K> = values === undefined ? { key } : { key, values };
  return say(messages[language], said);
}

export function useLanguage(): Language {
  return useView((state) => state.language);
}

/** The words of a panel in the language of the page. */
export function useT<K extends string>(messages: Messages<K>): Translate<K> {
  const language = useLanguage();
  return useCallback((key, values) => translate(messages, language, key, values), [messages, language]);
}
