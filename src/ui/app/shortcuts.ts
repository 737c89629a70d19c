import { useEffect } from 'react';
import { applyActive } from '../store/editor.ts';
import { changeSpeed, step, toEnd, togglePlay, toStart } from '../store/playback.ts';
import { selectLane, selectionStore } from '../store/selection.ts';
import { setView, toggleDrawer, viewStore } from '../store/view.ts';

type Act = (event: KeyboardEvent) => void;

const inspect = (inspector: 'logs' | 'yaml' | 'describe' | 'events'): Act => () => setView({ inspector, inspectorOpen: true });

/** Keys with a modifier, or that belong to no text: they act everywhere. */
const everywhere: Record<string, Act> = {
  'mod+k': () => setView({ dialog: viewStore.getState().dialog === 'palette' ? undefined : 'palette' }),
  'mod+enter': () => applyActive(),
  f6: () => movePanel(1),
  'shift+f6': () => movePanel(-1),
};

/** Keys that act unless a text, a menu or a control of their own has the focus. */
const plain: Record<string, Act> = {
  ' ': () => togglePlay(),
  arrowright: () => step(1, 'selected'),
  arrowleft: () => step(-1, 'selected'),
  'shift+arrowright': () => step(1, 'transition'),
  'shift+arrowleft': () => step(-1, 'transition'),
  pagedown: () => step(1),
  pageup: () => step(-1),
  home: () => toStart(),
  end: () => toEnd(),
  escape: () => closeSomething(),
};

/** Single characters: only while the time line or the map has the focus, or when the user has switched them on (WCAG 2.1.4). */
const characters: Record<string, Act> = {
  '.': () => step(1),
  ',': () => step(-1),
  '[': () => changeSpeed(-1),
  ']': () => changeSpeed(1),
  l: inspect('logs'), y: inspect('yaml'), d: inspect('describe'), e: inspect('events'),
  q: () => toggleDrawer(),
  v: () => fullPanel(),
  '/': () => document.querySelector<HTMLElement>('[data-action="filter-pods"]')?.click(),
  ':': () => setView({ dialog: 'palette' }),
  // The palette lists the faults of the selection.
  k: () => setView({ dialog: 'palette' }),
  '?': () => setView({ dialog: 'keys' }),
  'shift+p': () => setView({ presenter: !viewStore.getState().presenter }),
};

/** Keys that an element with the focus keeps to itself. */
const keepsSpace = 'button, a, summary, [role="menuitem"], [role="tab"], [role="switch"], [role="button"]';
const keepsArrows = '[role="separator"], [role="tab"], [role="slider"], [role="menu"], [role="listbox"], [role="radio"]';
const textual = 'input, textarea, select, [contenteditable="true"], .monaco-editor';

export function keyName(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>): string {
  const key = event.key.toLowerCase();
  const mod = event.ctrlKey || event.metaKey;
  const shift = event.shiftKey && (key.length > 1 || /[a-z]/.test(key));
  return `${mod ? 'mod+' : ''}${shift ? 'shift+' : ''}${key}`;
}

export function actionFor(event: KeyboardEvent, target: Element | null, open: boolean, globalKeys: boolean): Act | undefined {
  if (event.defaultPrevented || event.altKey || event.isComposing) return undefined;
  const name = keyName(event);
  const always = everywhere[name];
  if (always !== undefined) return always;
  if (open || event.ctrlKey || event.metaKey || target?.closest(textual)) return undefined;
  if (name === ' ' && target?.closest(keepsSpace)) return undefined;
  if (/arrow|home|end|page/.test(name) && target?.closest(keepsArrows)) return undefined;
  if (plain[name] !== undefined) return plain[name];
  const here = globalKeys || name === '?' || target === null || target === document.body || target.closest('[data-keys]') !== null;
  return here ? characters[name] : undefined;
}

export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { dialog, globalKeys } = viewStore.getState();
      const act = actionFor(event, event.target instanceof Element ? event.target : null, dialog !== undefined, globalKeys);
      if (act === undefined) return;
      event.preventDefault();
      act(event);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Escape: the open panel, then the selection. */
function closeSomething(): void {
  const { full, presenter, drawer } = viewStore.getState();
  if (full !== undefined) setView({ full: undefined });
  else if (presenter) setView({ presenter: false });
  else if (drawer !== undefined) setView({ drawer: undefined });
  else if (selectionStore.getState().lane !== undefined) selectLane(undefined);
}

const panelOf = (element: Element | null) => element?.closest('[data-panel]')?.getAttribute('data-panel');

function fullPanel(): void {
  const panel = panelOf(document.activeElement);
  const full = panel === 'timeline' || panel === 'inspector' ? panel : 'cluster';
  setView({ full: viewStore.getState().full === undefined ? full : undefined });
}

/** To the next region of the page, as F6 does in desktop programs. */
function movePanel(by: 1 | -1): void {
  const panels = [...document.querySelectorAll<HTMLElement>('[data-panel]')];
  const index = panels.findIndex((panel) => panel.contains(document.activeElement));
  const panel = panels[(index + by + panels.length) % panels.length];
  panel?.querySelector<HTMLElement>('button, [tabindex="0"], textarea, input, a[href]')?.focus();
}
