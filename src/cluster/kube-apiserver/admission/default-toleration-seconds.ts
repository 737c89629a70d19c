import type { ApiObject } from '../../../api/resources.ts';
import type { Pod, Toleration } from '../../../api/schema/types.ts';
import type { Plugin } from './plugin.ts';

const seconds = 300;
const keys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Upstream: plugin/pkg/admission/defaulttolerationseconds. */
export const defaultTolerationSeconds: Plugin = {
  name: 'DefaultTolerationSeconds',
  resources: ['pods'],
  admit: ({ object }) => {
    const pod = object as Pod;
    const tolerations = pod.spec.tolerations ?? [];
    const tolerates = (key: string) => tolerations.some((toleration) =>
      (toleration.key === key || !toleration.key) && (toleration.effect === 'NoExecute' || !toleration.effect));
    const added = keys.filter((key) => !tolerates(key)).map((key): Toleration => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds }));
    return added.length === 0 ? object : ({ ...pod, spec: { ...pod.spec, tolerations: [...tolerations, ...added] } } as ApiObject);
  },
};
