import { useEffect, useRef } from 'react';
import { activeFile, applyActive, editorStore, setText } from '../../../store/editor.ts';
import { viewStore } from '../../../store/view.ts';
import { setReveal } from '../go-to-line.ts';
import { createEditor, type RichEditor } from './create.ts';

/** The rich editor. One editor, one model for each file: undo survives a change of tabs and an Apply. */
export default function Rich({ onReady }: { onReady: () => void }) {
  const host = useRef<HTMLDivElement>(null);
  const ready = useRef(onReady);
  ready.current = onReady;
  useEffect(() => {
    let editor: RichEditor | undefined;
    let alive = true;
    const stops: (() => void)[] = [];
    void createEditor(host.current as HTMLDivElement, { onText: setText, onApply: applyActive }).then((made) => {
      if (!alive) return made.dispose();
      editor = made;
      const show = () => {
        const state = editorStore.getState();
        made.show(state.files, activeFile(state));
      };
      show();
      const { caret } = editorStore.getState();
      const typing = document.activeElement instanceof HTMLTextAreaElement && document.activeElement.closest('#editor-text') !== null;
      made.setCaret(caret, typing);
      setReveal(made.reveal);
      stops.push(editorStore.subscribe(show), viewStore.subscribe(({ theme, language }) => made.restyle(theme, language)));
      ready.current();
      if (typing) requestAnimationFrame(() => made.focus());
    });
    return () => {
      alive = false;
      setReveal(undefined);
      for (const stop of stops) stop();
      editor?.dispose();
    };
  }, []);
  return <div ref={host} style={{ height: '100%' }} />;
}
