import type * as MonacoModule from 'monaco-editor/editor';
import type { Language } from '../../../store/view.ts';
import { editorStore } from '../../../store/editor.ts';
import { tidied } from './tidy.ts';
import { defineThemes } from './theme.ts';

export type Monaco = typeof MonacoModule;
export interface Monacos {
  ITextModel: MonacoModule.editor.ITextModel;
  CodeAction: MonacoModule.languages.CodeAction;
}

let loading: Promise<Monaco> | undefined;

/** Monaco reads its own words once, before it starts: the language of the page at that time stays. */
export function loadMonaco(language: Language): Promise<Monaco> {
  return (loading ??= start(language));
}

async function start(language: Language): Promise<Monaco> {
  self.MonacoEnvironment = {
    getWorker: (_module: string, label: string) => (label === 'yaml'
      ? new Worker(new URL('./yaml.worker.ts', import.meta.url), { type: 'module', name: 'yaml' })
      : new Worker(new URL('./editor.worker.ts', import.meta.url), { type: 'module', name: 'editor' })),
  };
  if (language === 'zh') await import('monaco-editor/nls/lang/zh-cn');
  const { monaco, configureMonacoYaml } = await import('./bundle.ts');
  defineThemes(monaco);
  offerFixes(monaco);
  offerFormat(monaco);
  void configure(monaco, configureMonacoYaml);
  return monaco;
}

/** Completion and hover from the API's schema. What is wrong is said by the API server alone, in its own words. */
async function configure(monaco: Monaco, configureMonacoYaml: (monaco: never, options: object) => unknown): Promise<void> {
  const { default: url } = await import('./k8s.schema.json?url');
  const schema: unknown = await (await fetch(url)).json();
  configureMonacoYaml(tidied(monaco) as never, {
    enableSchemaRequest: false, hover: true, completion: true, validate: false, format: false, yamlVersion: '1.1', schemas: [{ uri: 'inmemory://kubernetes.schema.json', fileMatch: ['**/*'], schema }],
  });
}

/** The repairs that came with the problems, under the light bulb and Ctrl+. */
function offerFixes(monaco: Monaco): void {
  monaco.languages.registerCodeActionProvider('yaml', {
    provideCodeActions: (model, range, context) => {
      const file = editorStore.getState().files.find(({ id }) => model.uri.path.startsWith(`/${id}/`));
      const actions: Monacos['CodeAction'][] = [];
      for (const { fix, message, line, endLine } of file?.problems ?? []) {
        if (fix === undefined || endLine < range.startLineNumber || line > range.endLineNumber) continue;
        actions.push({
          title: fix.title, kind: 'quickfix', isPreferred: true, diagnostics: context.markers.filter((marker) => marker.message === message),
          edit: { edits: [{ resource: model.uri, versionId: model.getVersionId(), textEdit: { range: { startLineNumber: fix.line, startColumn: fix.column, endLineNumber: fix.endLine, endColumn: fix.endColumn }, text: fix.text } }] },
        });
      }
      return { actions, dispose: () => {} };
    },
  });
}

/** Shift+Alt+F: two spaces, comments kept; a text that is not YAML stays as it is. */
function offerFormat(monaco: Monaco): void {
  monaco.languages.registerDocumentFormattingEditProvider('yaml', {
    provideDocumentFormattingEdits: async (model) => {
      const { formatYaml } = await import('./format.ts');
      const text = formatYaml(model.getValue());
      return text === undefined ? [] : [{ range: model.getFullModelRange(), text }];
    },
  });
}
