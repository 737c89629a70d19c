import type { Command } from '../registry.ts';

/** Simplified: upstream prints all verbs with a sentence each. */
export const help: Command = {
  run(_, _environment, out) {
    out.stdout += 'kubectl controls the Kubernetes cluster manager.\n\n Find more information at: https://kubernetes.io/docs/reference/kubectl/\n';
  },
};
