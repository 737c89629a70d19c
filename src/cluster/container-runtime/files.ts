import { compareText } from '../../sim/plain.ts';
import type { SimTime } from '../../sim/time.ts';
import type { FileError, Files, FileStat } from '../../workload/contract.ts';
import type { ContainerMount } from '../kubelet/cri.ts';
import type { FileNode, Layer, Volume } from './state.ts';
import type { ImageFiles } from './image-files.ts';

/** What a container's file system is made of. */
export interface FileTree {
  now: SimTime;
  image: ImageFiles;
  layer: Layer;
  mounts: readonly ContainerMount[];
  volume(name: string): Volume | undefined;
  /** Files that the kubelet and the runtime write for the container: /etc/hosts, /etc/hostname, /etc/resolv.conf. */
  generated(path: string): string | undefined;
  readOnlyRoot: boolean;
  /** Stays writable on a read-only root: the kubelet mounts it. */
  terminationPath: string;
  /** Called after each change; `volume` undefined: the container's own layer. */
  changed(volume: string | undefined, byBytes: number): void;
}

/** Larger contents are kept by their beginning and their size. */
const keptBytes = 65_536;

/** Kinds of volumes that a container never writes to. Upstream: pkg/volume/{configmap,secret,projected,downwardapi}. */
const readOnlyKinds = new Set<Volume['kind']>(['configMap', 'secret', 'projected', 'downwardAPI']);

/** Where a path lives: a table of nodes, the key in it, and what lies beneath. */
interface Place {
  layer: Layer;
  key: string;
  volume: string | undefined;
  readOnly: boolean;
  lower: ImageFiles | undefined;
}

export function createFiles(tree: FileTree): Files {
  return {
    stat: (path) => statOf(tree, normal(path)),
    read: (path) => readFile(tree, normal(path)),
    write: (path, content, append) => writeFile(tree, normal(path), content, append),
    makeDirectory: (path, parents) => makeDirectory(tree, normal(path), parents),
    remove: (path, recursive) => removePath(tree, normal(path), recursive),
    rename: (from, to) => renamePath(tree, normal(from), normal(to)),
    setMode: (path, mode) => setMode(tree, normal(path), mode),
    list: (path) => listDirectory(tree, normal(path)),
  };
}

/** Without '.', '..', double and trailing slashes. */
export function normal(path: string): string {
  if (path.startsWith('/') && !path.includes('/.') && !path.includes('//') && (path === '/' || !path.endsWith('/'))) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

const parentOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const join = (base: string, rest: string): string => normal(`${base}/${rest}`);

/** Bytes of a text in UTF-8; long ones are taken as ASCII. */
export function byteLength(text: string): number {
  if (text.length > keptBytes) return text.length;
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code < 0xe000 ? 2 : 3;
  }
  return bytes;
}

export const diskBlocks = (size: number): number => Math.ceil(size / 4096) * 4096;

export const fileNode = (content: string, mode: number, changedAt: SimTime): FileNode =>
  Object.freeze({ kind: 'file', content: content.length > keptBytes ? content.slice(0, keptBytes) : content, size: byteLength(content), mode, changedAt });

const directoryNode = (changedAt: SimTime): FileNode => Object.freeze({ kind: 'directory', content: '', size: 4096, mode: 0o755, changedAt });

/** The mount that covers a path: the longest one. */
function mountOf(tree: FileTree, path: string): ContainerMount | undefined {
  let best: ContainerMount | undefined;
  for (const mount of tree.mounts) {
    const root = normal(mount.mountPath);
    if ((path === root || path.startsWith(root === '/' ? '/' : `${root}/`)) && (best === undefined || root.length > normal(best.mountPath).length)) best = mount;
  }
  return best;
}

function placeOf(tree: FileTree, path: string): Place {
  const mount = mountOf(tree, path);
  const volume = mount === undefined ? undefined : tree.volume(mount.volume);
  if (mount === undefined || volume === undefined) {
    const readOnly = tree.readOnlyRoot && path !== tree.terminationPath && !path.startsWith('/dev/');
    return { layer: tree.layer, key: path, volume: undefined, readOnly, lower: tree.image };
  }
  const inside = join(mount.subPath ?? '', path.slice(normal(mount.mountPath).length));
  return { layer: volume.files, key: inside, volume: mount.volume, readOnly: mount.readOnly || readOnlyKinds.has(volume.kind), lower: undefined };
}

function nodeAt(tree: FileTree, path: string): FileNode | undefined {
  const { layer, key, lower, volume } = placeOf(tree, path);
  const own = layer[key];
  if (own !== undefined) return own ?? undefined;
  const generated = volume === undefined ? tree.generated(path) : undefined;
  if (generated !== undefined) return fileNode(generated, 0o644, 0);
  const below = lower?.[key];
  if (below !== undefined) return below;
  // A directory that only its contents or a mount below tell of.
  const isMountPoint = volume !== undefined && tree.mounts.some((mount) => normal(mount.mountPath) === path);
  if (isMountPoint) return directoryNode(0);
  const prefix = key === '/' ? '/' : `${key}/`;
  for (const other in layer) if (other.startsWith(prefix) && layer[other] !== null) return directoryNode(0);
  const isAbove = tree.mounts.some((mount) => normal(mount.mountPath).startsWith(path === '/' ? '/' : `${path}/`));
  return isAbove ? directoryNode(0) : undefined;
}

function statOf(tree: FileTree, path: string): FileStat | undefined {
  const node = nodeAt(tree, path);
  return node === undefined ? undefined : { kind: node.kind, size: node.size, mode: node.mode, changedAt: node.changedAt };
}

function readFile(tree: FileTree, path: string): string | { error: FileError } {
  const node = nodeAt(tree, path);
  if (node === undefined) return { error: nodeAt(tree, parentOf(path))?.kind === 'file' ? 'ENOTDIR' : 'ENOENT' };
  return node.kind === 'directory' ? { error: 'EISDIR' } : node.content;
}

/** Puts a node in place (null or undefined: takes it away) and keeps account of the disk. */
function put(tree: FileTree, { layer, key, volume, lower }: Place, node: FileNode | undefined): void {
  const before = layer[key];
  if (node !== undefined) layer[key] = node;
  else if (lower?.[key] !== undefined) layer[key] = null;
  else delete layer[key];
  tree.changed(volume, (node === undefined ? 0 : diskBlocks(node.size)) - (before === undefined || before === null ? 0 : diskBlocks(before.size)));
}

function whyNotIn(tree: FileTree, path: string): FileError | undefined {
  const parent = nodeAt(tree, parentOf(path));
  if (parent === undefined) return 'ENOENT';
  return parent.kind === 'directory' ? undefined : 'ENOTDIR';
}

function writeFile(tree: FileTree, path: string, content: string, append: boolean): FileError | undefined {
  const existing = nodeAt(tree, path);
  if (existing?.kind === 'directory') return 'EISDIR';
  const place = placeOf(tree, path);
  const problem = existing === undefined ? whyNotIn(tree, path) : undefined;
  if (problem !== undefined) return problem;
  if (place.readOnly) return 'EROFS';
  const mode = existing?.mode ?? 0o644;
  if (append && existing !== undefined && existing.size > existing.content.length) {
    put(tree, place, Object.freeze({ ...existing, size: existing.size + byteLength(content), changedAt: tree.now }));
  } else put(tree, place, fileNode(append ? (existing?.content ?? '') + content : content, mode, tree.now));
  return undefined;
}

function makeDirectory(tree: FileTree, path: string, parents: boolean): FileError | undefined {
  const existing = nodeAt(tree, path);
  if (existing !== undefined) return parents && existing.kind === 'directory' ? undefined : 'EEXIST';
  const problem = whyNotIn(tree, path);
  if (problem === 'ENOENT' && parents) {
    const above = makeDirectory(tree, parentOf(path), true);
    if (above !== undefined) return above;
  } else if (problem !== undefined) return problem;
  const place = placeOf(tree, path);
  if (place.readOnly) return 'EROFS';
  put(tree, place, directoryNode(tree.now));
  return undefined;
}

function removePath(tree: FileTree, path: string, recursive: boolean): FileError | undefined {
  const node = nodeAt(tree, path);
  if (node === undefined) return 'ENOENT';
  const place = placeOf(tree, path);
  if (place.readOnly) return 'EROFS';
  if (node.kind === 'directory') {
    const names = listDirectory(tree, path) as string[];
    if (names.length > 0 && !recursive) return 'ENOTEMPTY';
    for (const name of names) {
      const problem = removePath(tree, join(path, name), true);
      if (problem !== undefined) return problem;
    }
    if (tree.mounts.some((mount) => normal(mount.mountPath) === path)) return 'EACCES';
  }
  put(tree, place, undefined);
  return undefined;
}

function renamePath(tree: FileTree, from: string, to: string): FileError | undefined {
  const node = nodeAt(tree, from);
  if (node === undefined) return 'ENOENT';
  const target = nodeAt(tree, to)?.kind === 'directory' ? join(to, nameOf(from)) : to;
  const problem = whyNotIn(tree, target);
  if (problem !== undefined) return problem;
  const place = placeOf(tree, target);
  const source = placeOf(tree, from);
  if (place.readOnly || source.readOnly) return 'EROFS';
  put(tree, place, node);
  if (node.kind === 'directory') {
    for (const name of listDirectory(tree, from) as string[]) {
      const inner = renamePath(tree, join(from, name), join(target, name));
      if (inner !== undefined) return inner;
    }
  }
  put(tree, source, undefined);
  return undefined;
}

function setMode(tree: FileTree, path: string, mode: number): FileError | undefined {
  const node = nodeAt(tree, path);
  if (node === undefined) return 'ENOENT';
  const place = placeOf(tree, path);
  if (place.readOnly) return 'EROFS';
  put(tree, place, Object.freeze({ ...node, mode, changedAt: tree.now }));
  return undefined;
}

/** By image: the paths below a directory. An image's files never change. */
const below = new WeakMap<ImageFiles, Map<string, readonly string[]>>();

function pathsUnder(image: ImageFiles, prefix: string): readonly string[] {
  let folders = below.get(image);
  if (folders === undefined) below.set(image, (folders = new Map()));
  let paths = folders.get(prefix);
  if (paths === undefined) folders.set(prefix, (paths = Object.keys(image).filter((path) => path.startsWith(prefix))));
  return paths;
}

function listDirectory(tree: FileTree, path: string): string[] | { error: FileError } {
  const node = nodeAt(tree, path);
  if (node === undefined) return { error: 'ENOENT' };
  if (node.kind !== 'directory') return { error: 'ENOTDIR' };
  const { layer, key, lower } = placeOf(tree, path);
  const prefix = key === '/' ? '/' : `${key}/`;
  const names = new Set<string>();
  const add = (other: string, from: string) => {
    if (other.startsWith(from) && other.length > from.length) names.add(other.slice(from.length).split('/')[0] as string);
  };
  if (lower !== undefined) for (const other of pathsUnder(lower, prefix)) if (layer[other] === undefined) add(other, prefix);
  for (const other in layer) if (layer[other] !== null) add(other, prefix);
  for (const mount of tree.mounts) add(normal(mount.mountPath), path === '/' ? '/' : `${path}/`);
  return [...names].sort(compareText);
}
