import type { Pod } from '../../../api/schema/types.ts';
import { forbid, type Plugin } from './plugin.ts';

/** The cluster has no RuntimeClass: naming one is refused. Upstream: plugin/pkg/admission/runtimeclass. */
export const runtimeClass: Plugin = {
  name: 'RuntimeClass',
  resources: ['pods'],
  admit: (attributes) => {
    const name = (attributes.object as Pod).spec.runtimeClassName;
    if (attributes.old !== undefined || name === undefined) return attributes.object;
    return forbid(attributes, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  },
};
