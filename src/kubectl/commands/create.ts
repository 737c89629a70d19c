import { ask, pathOf } from '../api.ts';
import { isFailure, plainError, statusError, usageError } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import { located, readItems, withNamespace } from '../manifests.ts';
import { partOf, type Command } from '../registry.ts';
import { dryRunOf, fileFlags, reporter, runEach, warn, writeQuery } from '../report.ts';
import { filesOf } from './kustomize.ts';
import { remembered } from './last-applied.ts';

const generators = 'clusterrole clusterrolebinding configmap cm cronjob cj deployment deploy ingress ing job namespace ns poddisruptionbudget pdb priorityclass pc quota resourcequota role rolebinding secret service svc serviceaccount sa token'.split(' ');

/** kubectl create -f, and the generators ('create deployment'), which come with the second table. Upstream: k8s.io/kubectl/pkg/cmd/create. */
export const create: Command = {
  run(args, environment, out) {
    const kind = args.find((arg) => !arg.startsWith('-'));
    if (kind !== undefined && generators.includes(kind)) return partOf('create', kind)?.run(args.filter((_, index) => index !== args.indexOf(kind)), environment, out);
    const parsed = parseArguments(args, { ...fileFlags, 'save-config': flag.bool(), edit: flag.bool(), selector: flag.text('l'), 'windows-line-endings': flag.bool(), raw: flag.text() }, 'kubectl create');
    if (parsed.words.length > 0) throw usageError(`Unexpected args: [${parsed.words.join(' ')}]`, 'kubectl create');
    if (!parsed.has('filename') && !parsed.has('kustomize')) throw plainError('must specify one of -f and -k');
    if (parsed.bool('edit')) throw plainError('--edit is not simulated: change the file');
    const items = filesOf(parsed, withNamespace(environment, parsed), readItems);
    if (items.length === 0) throw plainError('no objects passed to create');
    const query = writeQuery(parsed, 'kubectl-create');
    const report = reporter(parsed, out);
    runEach(items, (item) => {
      const { info, namespace, source } = item;
      const body = parsed.bool('save-config') ? remembered(item) : located(item);
      if (dryRunOf(parsed) === 'client') return report(info, body, 'created');
      const response = ask(environment.client, 'POST', pathOf(info, namespace), { query, body });
      warn(out, response);
      if (isFailure(response)) throw statusError(response, `error when creating "${source}": `);
      report(info, response.body, 'created');
    });
    return undefined;
  },
};
