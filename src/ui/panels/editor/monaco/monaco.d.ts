declare module 'monaco-editor/editor/editor.worker.js' {
  export function initialize(make: (context: unknown, createData: unknown) => object): void;
}
declare module 'monaco-editor/nls/lang/zh-cn';
