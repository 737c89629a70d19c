import type { Host, ProcessSpec } from '../contract.ts';
import { commands, defaultPath, imageHas } from '../shell/commands.ts';
import { imageFacts } from './facts.ts';

export type FoundProgram =
  | { kind: 'found'; argv: string[]; isServer: boolean }
  | { kind: 'missing'; error: string; exitCode: number };

const missing = (error: string, exitCode: number): FoundProgram => ({ kind: 'missing', error, exitCode });
const binFolder = /^\/(usr\/(local\/)?)?s?bin\/([^/]+)$/;

/** Looks up the program as runc does; error texts as recorded. Upstream: opencontainers/runc libcontainer, Go os/exec LookPath. */
export function findProgram(spec: ProcessSpec, host: Host, argv: string[]): FoundProgram {
  const [name = ''] = argv;
  if (name === '') return missing('exec: "": executable file not found in $PATH', 127);
  if (name.includes('/')) return byPath(spec, host, argv, absolutePath(spec, name));
  const has = imageHas(spec.image, name);
  if (has !== 'no') return found(argv, name);
  for (const folder of (spec.env.PATH ?? defaultPath).split(':')) {
    const stat = host.files.stat(`${folder}/${name}`);
    if (stat?.kind === 'file' && stat.size > 0 && (stat.mode & 0o111) !== 0) return byPath(spec, host, argv, `${folder}/${name}`);
  }
  return missing(`exec: "${name}": executable file not found in $PATH`, 127);
}

const absolutePath = ({ workingDir, image }: ProcessSpec, name: string): string => {
  const base = workingDir ?? imageFacts(image).workingDir ?? '/';
  return name.startsWith('/') ? name : `${base === '/' ? '' : base}/${name.replace(/^\.\//, '')}`;
};

/** Programs that are not simulated start as well: they say so. */
function found(argv: string[], base: string): FoundProgram {
  return { kind: 'found', argv, isServer: Object.hasOwn(commands, base) && commands[base]?.answer !== undefined };
}

function byPath(spec: ProcessSpec, host: Host, argv: string[], path: string): FoundProgram {
  const [name = ''] = argv;
  const inBin = binFolder.exec(path)?.[3];
  const { binaries } = imageFacts(spec.image);
  const stat = host.files.stat(path);
  const written = stat !== undefined && stat.size > 0;
  if (!written && (binaries.includes(path) || (inBin !== undefined && imageHas(spec.image, inBin) !== 'no'))) return found(argv, path.slice(path.lastIndexOf('/') + 1));
  if (stat === undefined) return missing(`exec: "${name}": stat ${name}: no such file or directory`, 127);
  if (stat.kind === 'directory') return missing(`exec: "${name}": is a directory`, 126);
  if ((stat.mode & 0o111) === 0) return missing(`exec: "${name}": permission denied`, 126);
  const content = host.files.read(path);
  const shebang = /^#!\s*(\S+)[ \t]*(\S*)/.exec(typeof content === 'string' ? content : '');
  if (shebang === null) return missing(`exec ${name}: exec format error`, 126);
  const [, interpreter = '', argument = ''] = shebang;
  const words = interpreter.endsWith('/env') ? [argument] : [interpreter, ...(argument === '' ? [] : [argument])];
  const [program = ''] = words;
  if (imageHas(spec.image, program.slice(program.lastIndexOf('/') + 1)) === 'no') return missing(`exec ${name}: no such file or directory`, 127);
  return found([...words, path, ...argv.slice(1)], program.slice(program.lastIndexOf('/') + 1));
}
