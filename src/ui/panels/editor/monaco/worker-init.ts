import { initialize as start } from 'monaco-editor/editor/editor.worker.js';

/** Stands in for monaco-worker-manager/worker: the first message only wakes the worker, the second carries what it is made from. */
export function initialize(make: (context: unknown, createData: unknown) => object): void {
  self.onmessage = () => start((context: unknown, createData: unknown) => Object.create(make(context, createData) as object) as object);
}
