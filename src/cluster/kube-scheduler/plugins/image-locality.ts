import type { Node, Pod } from '../../../api/schema/types.ts';
import { maxScore, type Plugin } from '../framework.ts';
import type { NodeInfo } from '../state.ts';

const name = 'ImageLocality';
const mebibyte = 1024 * 1024;
const least = 23 * mebibyte;
const mostPerContainer = 1000 * mebibyte;

/** Upstream: imagelocality normalizedImageName: a name without tag means latest. */
const normalized = (image: string): string => (image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image);

const images = ({ spec }: Pod): string[] => [
  ...(spec.initContainers ?? []).map(({ image = '' }) => normalized(image)),
  ...spec.containers.map(({ image = '' }) => normalized(image)),
];

const namesOn = new WeakMap<Node, Set<string>>();

function hasImage({ node }: NodeInfo, image: string): boolean {
  if (node === undefined) return false;
  let names = namesOn.get(node);
  if (names === undefined) namesOn.set(node, (names = new Set((node.status.images ?? []).flatMap((each) => each.names ?? []))));
  return names.has(image);
}

interface Found {
  /** Of each image that some node has: its size times the share of nodes that have it. */
  images: { image: string; share: number }[];
  most: number;
}

export const imageLocality: Plugin = {
  name,
  weight: 1,
  preScore: ({ pod, state, data }) => {
    const wanted = images(pod);
    const total = data.get('node-count') as number;
    const found = wanted.flatMap((image) => {
      const known = state.images[image];
      return known === undefined ? [] : [{ image, share: Math.trunc(known.size * (known.nodes / total)) }];
    });
    data.set(name, { images: found, most: mostPerContainer * wanted.length } satisfies Found);
    return true;
  },
  score: ({ data }, node) => {
    const found = data.get(name) as Found;
    if (found.images.length === 0) return 0;
    let sum = 0;
    for (const { image, share } of found.images) if (hasImage(node, image)) sum += share;
    const bounded = Math.min(Math.max(sum, least), found.most);
    return Math.trunc((maxScore * (bounded - least)) / (found.most - least));
  },
};
