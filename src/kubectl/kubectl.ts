import './all.ts';

export { resumeKubectl, startKubectl } from './run.ts';
export type { Command, Printer } from './registry.ts';
