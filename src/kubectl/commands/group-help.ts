import { Failure } from '../failure.ts';

/** What a verb that only has parts says on stderr when none is named. Upstream: the verbs' own help texts. */
function groupHelp(text: string, parts: readonly (readonly [name: string, what: string])[], usage: string, width: number): Failure {
  const lines = parts.map(([name, what]) => `  ${name.padEnd(width)}${what}\n`).join('');
  const command = usage.replace(/ (SUBCOMMAND|\().*/, '').replace(/ \[flags\]$/, '');
  return new Failure(`${text}\n\nAvailable Commands:\n${lines}\nUsage:\n  ${usage}\n\nUse "${command} <command> --help" for more information about a given command.\nUse "kubectl options" for a list of global command-line options (applies to all commands).\n`);
}

export const setHelp = (): Failure => groupHelp('Configure application resources.\n\n These commands help you make changes to existing application resources.', [
  ['env', 'Update environment variables on a pod template'], ['image', 'Update the image of a pod template'], ['resources', 'Update resource requests/limits on objects with pod templates'],
  ['selector', 'Set the selector on a resource'], ['serviceaccount', 'Update the service account of a resource'],
  ['subject', 'Update the user, group, or service account in a role binding or cluster role binding'],
], 'kubectl set SUBCOMMAND [options]', 17);

export const rolloutHelp = (): Failure => groupHelp(`Manage the rollout of one or many resources.
        
 Valid resource types include:

  *  deployments
  *  daemonsets
  *  statefulsets

Examples:
  # Rollback to the previous deployment
  kubectl rollout undo deployment/abc
  
  # Check the rollout status of a daemonset
  kubectl rollout status daemonset/foo
  
  # Restart a deployment
  kubectl rollout restart deployment/abc
  
  # Restart deployments with the 'app=nginx' label
  kubectl rollout restart deployment --selector=app=nginx`, [
  ['history', 'View rollout history'], ['pause', 'Mark the provided resource as paused'], ['restart', 'Restart a resource'], ['resume', 'Resume a paused resource'],
  ['status', 'Show the status of the rollout'], ['undo', 'Undo a previous rollout'],
], 'kubectl rollout SUBCOMMAND [options]', 14);

export const secretHelp = (): Failure => groupHelp(`Create a secret with specified type.

 A docker-registry type secret is for accessing a container registry.

 A generic type secret indicate an Opaque secret type.

 A tls type secret holds TLS certificate and its associated key.`, [
  ['docker-registry', 'Create a secret for use with a Docker registry'], ['generic', 'Create a secret from a local file, directory, or literal value'], ['tls', 'Create a TLS secret'],
], 'kubectl create secret (docker-registry | generic | tls) [options]', 18);
