/** What a kubectl line does to the cluster, by its words alone. */

const changing = new Set([
  'apply', 'create', 'delete', 'scale', 'label', 'annotate', 'taint', 'cordon', 'uncordon', 'drain', 'patch', 'set', 'exec', 'run', 'expose', 'autoscale', 'replace', 'debug',
]);
const changingParts: Readonly<Record<string, RegExp>> = { rollout: /^(undo|restart|pause|resume)$/ };

/** Flags whose value is a word of its own. */
export const valueFlags = new Set([
  '-n', '--namespace', '-o', '--output', '-f', '--filename', '-k', '--kustomize', '-l', '--selector', '-c', '--container', '--field-selector', '--sort-by', '--image', '--replicas', '--current-replicas', '-p', '--patch', '--patch-file', '--type',
  '--from-literal', '--from-file', '--from-env-file', '--for', '--timeout', '--tail', '--since', '--since-time', '--grace-period', '--to-revision', '--revision', '--port', '--target-port', '--schedule', '--name', '--env', '--labels', '--overrides', '--restart',
  '--context', '--cluster', '--user', '--kubeconfig', '-s', '--server', '-v', '--v', '--request-timeout', '--min', '--max', '--cpu-percent', '--cpu', '--memory', '-L', '--label-columns', '--limits', '--requests', '--subresource', '--cascade-mode', '--tcp', '--clusterip',
  '--role', '--clusterrole', '--serviceaccount', '--hard', '--min-available', '--max-unavailable', '--value', '--target', '--copy-to', '--profile', '--pod-selector', '--chunk-size', '--api-group', '--types', '--as', '--pod-running-timeout', '--protocol', '--external-ip', '--field-manager',
]);

/** The words that are neither flags nor their values, as far as '--'. */
export function plainWords(words: readonly string[]): string[] {
  const found: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    if (word === '--') break;
    if (!word.startsWith('-') || word === '-') found.push(word);
    else if (valueFlags.has(word)) index += 1;
  }
  return found;
}

/** `words` without the word kubectl. */
export function changesCluster(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  if (own.some((word) => word === '--help' || word === '-h' || word === '--list' || /^--dry-run(?:$|=(?!none))/.test(word))) return false;
  const [verb = '', part = ''] = plainWords(own);
  return changing.has(verb) || changingParts[verb]?.test(part) === true;
}

/** exec -it POD -- sh: a shell that nobody can type into. */
export function isInteractiveShell(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const [verb] = plainWords(words);
  const command = end < 0 ? plainWords(words).slice(2) : words.slice(end + 1);
  return verb === 'exec' && command.length === 1 && /^(?:\/(?:usr\/)?bin\/)?(?:sh|bash|ash|dash|zsh)$/.test(command[0] as string);
}
