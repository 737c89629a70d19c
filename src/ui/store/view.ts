import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { keep, readKept } from './persist.ts';

export type Language = 'en' | 'zh';
export type Theme = 'dark' | 'light';
export type DrawerTab = 'lanes' | 'terminal' | 'events' | 'describe';
export type InspectorTab = 'status' | 'events' | 'logs' | 'yaml' | 'describe';
export type PhoneTab = 'cluster' | 'time' | 'yaml' | 'more';
export type DialogName = 'palette' | 'share' | 'keys';

/** How the page looks: what is open, and in which words and colours. */
export interface ViewState {
  language: Language;
  theme: Theme;
  drawer: DrawerTab | undefined;
  inspector: InspectorTab;
  inspectorOpen: boolean;
  phoneTab: PhoneTab;
  dialog: DialogName | undefined;
  presenter: boolean;
  /** Single letters act everywhere, not only in the timeline and the map. */
  globalKeys: boolean;
  /** The panel that fills the page. */
  full: 'cluster' | 'timeline' | 'inspector' | undefined;
  filter: string;
}

type Kept = Pick<ViewState, 'language' | 'theme' | 'globalKeys'>;

const prefersLight = () => typeof matchMedia === 'function' && matchMedia('(prefers-color-scheme: light)').matches;
const browserLanguage = (): Language => (typeof navigator !== 'undefined' && /^zh\b/i.test(navigator.language) ? 'zh' : 'en');

function first(): ViewState {
  const kept = readKept<Partial<Kept>>('view') ?? {};
  return {
    language: kept.language ?? browserLanguage(), theme: kept.theme ?? (prefersLight() ? 'light' : 'dark'), globalKeys: kept.globalKeys ?? false,
    drawer: undefined, inspector: 'status', inspectorOpen: true, phoneTab: 'time', dialog: undefined, presenter: false, full: undefined, filter: '',
  };
}

export const viewStore = createStore<ViewState>()(first);

export function useView<T>(select: (state: ViewState) => T): T {
  return useStore(viewStore, select);
}

export function setView(change: Partial<ViewState>): void {
  viewStore.setState(change);
  const { language, theme, globalKeys } = viewStore.getState();
  if ('language' in change || 'theme' in change || 'globalKeys' in change) keep('view', { language, theme, globalKeys } satisfies Kept);
}

export const language = (): Language => viewStore.getState().language;

export function toggleDrawer(tab?: DrawerTab): void {
  const { drawer } = viewStore.getState();
  setView({ drawer: tab === undefined ? (drawer === undefined ? 'events' : undefined) : drawer === tab ? undefined : tab });
}

/** Writes language and theme to the document. Returns how to stop. */
export function followView(root: HTMLElement): () => void {
  const apply = ({ language: words, theme }: ViewState) => {
    root.lang = words === 'zh' ? 'zh-CN' : 'en';
    root.dataset.theme = theme;
  };
  apply(viewStore.getState());
  return viewStore.subscribe(apply);
}
