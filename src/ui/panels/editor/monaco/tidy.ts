import type * as MonacoModule from 'monaco-editor/editor';
import type { Monaco } from './load.ts';

type Completion = MonacoModule.languages.CompletionItemProvider;
type Hover = MonacoModule.languages.HoverProvider;

/**
 * Monaco as the YAML service sees it, with two corrections on what it offers:
 * a suggestion that is plain text is not sent as a snippet (as a snippet Enter would take it instead of ending the line, even where it changes nothing),
 * and a hover text does not end with an empty source.
 */
export function tidied(monaco: Monaco): Monaco {
  const { languages } = monaco;
  const snippet = languages.CompletionItemInsertTextRule.InsertAsSnippet;
  const completion = (provider: Completion): Completion => ({
    ...bound(provider),
    provideCompletionItems: async (...args) => {
      const list = await provider.provideCompletionItems(...args);
      for (const item of list?.suggestions ?? []) if (!/[$}\\]/.test(item.insertText)) item.insertTextRules = (item.insertTextRules ?? 0) & ~snippet;
      return list;
    },
  });
  const hover = (provider: Hover): Hover => ({
    provideHover: async (...args) => {
      const found = await provider.provideHover(...args);
      return found === null || found === undefined ? found : { ...found, contents: found.contents.map((part) => ({ ...part, value: part.value.replace(/\n*Source: .*$/s, '') })) };
    },
  });
  return {
    ...monaco,
    languages: {
      ...languages,
      registerCompletionItemProvider: (selector, provider) => languages.registerCompletionItemProvider(selector, completion(provider)),
      registerHoverProvider: (selector, provider) => languages.registerHoverProvider(selector, hover(provider)),
    },
  };
}

/** Its other members, whether its own or of its class. */
function bound(provider: Completion): Completion {
  const { triggerCharacters, resolveCompletionItem } = provider;
  return {
    provideCompletionItems: provider.provideCompletionItems.bind(provider),
    ...(triggerCharacters === undefined ? {} : { triggerCharacters }), ...(resolveCompletionItem === undefined ? {} : { resolveCompletionItem: resolveCompletionItem.bind(provider) }),
  };
}
