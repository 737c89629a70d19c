import type { VolumeCommand } from '../kubelet/cri.ts';
import { diskBlocks, fileNode, normal } from './files.ts';
import { touchVolume } from './host.ts';
import type { Machine } from './machine.ts';
import { forgetEmptyPod } from './sandboxes.ts';
import { podRecord, type Layer } from './state.ts';

/** Volumes whose files only the kubelet writes: a new command replaces them all. */
const isProjection = (kind: VolumeCommand['kind']): boolean => kind === 'configMap' || kind === 'secret' || kind === 'projected' || kind === 'downwardAPI';

/** Puts the files of a volume in place, or takes the volume down. */
export function setVolume(machine: Machine, { podUid, volume, files, kind }: VolumeCommand): void {
  const { state } = machine;
  if (files === undefined) {
    delete state.pods[podUid]?.volumes[volume];
    forgetEmptyPod(state, podUid);
    return;
  }
  const pod = podRecord(state, podUid);
  const existing = pod.volumes[volume];
  if (existing !== undefined && !isProjection(kind)) return;
  const layer: Layer = {};
  let usedBytes = 0;
  for (const { path, content, mode } of files) {
    const node = fileNode(content, mode, machine.now);
    layer[normal(path)] = node;
    usedBytes += diskBlocks(node.size);
  }
  pod.volumes[volume] = { kind, files: layer, usedBytes };
  if (existing !== undefined) touchVolume(machine, podUid, volume);
}
