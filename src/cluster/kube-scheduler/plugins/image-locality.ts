import type { Pod } from '../../../api/schema/types.ts';
import { maxScore, type Plugin } from '../framework.ts';
import type { NodeInfo } from '../state.ts';

const mebibyte = 1024 * 1024;
const least = 23 * mebibyte;
const mostPerContainer = 1000 * mebibyte;

/** Upstream: imagelocality normalizedImageName: a name without tag means latest. */
const normalized = (image: string): string => (image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image);

const images = ({ spec }: Pod): string[] => [
  ...(spec.initContainers ?? []).map(({ image = '' }) => normalized(image)),
  ...spec.containers.map(({ image = '' }) => normalized(image)),
];

const hasImage = ({ node }: NodeInfo, name: string): boolean => node?.status.images?.some(({ names }) => names?.includes(name) ?? false) ?? false;

export const imageLocality: Plugin = {
  name: 'ImageLocality',
  weight: 1,
  /** Each image counts for its size times the share of nodes that have it. */
  score: ({ pod, state, data }, node) => {
    const total = data.get('node-count') as number;
    const names = images(pod);
    let sum = 0;
    for (const name of names) {
      const image = state.images[name];
      if (image !== undefined && hasImage(node, name)) sum += Math.trunc(image.size * (image.nodes / total));
    }
    const most = mostPerContainer * names.length;
    const bounded = Math.min(Math.max(sum, least), most);
    return Math.trunc((maxScore * (bounded - least)) / (most - least));
  },
};
