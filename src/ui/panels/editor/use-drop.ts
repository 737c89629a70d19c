import { useState, type DragEvent } from 'react';
import { addFile } from '../../store/editor.ts';

const limitBytes = 5_000_000;

/** Files dropped on the editor become tabs. */
export function useDrop() {
  const [refused, setRefused] = useState<string>();
  const take = async (files: readonly File[]) => {
    setRefused(undefined);
    for (const file of files) {
      if (file.size > limitBytes || !/\.(ya?ml|json)$/i.test(file.name)) setRefused(file.name);
      else addFile(file.name, await file.text());
    }
  };
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return {
    refused,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (hasFiles(event)) event.preventDefault();
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        void take([...event.dataTransfer.files]);
      },
    },
  };
}
