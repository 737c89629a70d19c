import { ask, pathOf, printedName } from '../api.ts';
import type { ApiObject } from '../../api/resources.ts';
import { isFailure, plainError, statusError } from '../failure.ts';
import { flag, parseArguments } from '../flags.ts';
import type { Command } from '../registry.ts';
import { readItems } from '../manifests.ts';
import { dryRunOf, dryRunSuffix, fileFlags, runEach, warn, withNamespace, writeQuery } from './apply.ts';

/** kubectl create -f. The generators (create deployment, ...) come with the terminal. */
export const create: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, { ...fileFlags, 'save-config': flag.bool(), edit: flag.bool() }, 'kubectl create');
    if (!parsed.has('filename')) {
      const kind = parsed.words[0];
      throw plainError(kind === undefined ? 'must specify one of -f and -k' : `kubectl create ${kind} is not simulated: write a manifest and use create -f`);
    }
    const items = readItems(parsed.list('filename'), withNamespace(environment, parsed));
    if (items.length === 0) throw plainError('no objects passed to create');
    runEach(items, ({ info, namespace, object, source }) => {
      const print = (name: string) => {
        out.stdout += parsed.text('output') === 'name' ? `${printedName(info, name)}\n` : `${printedName(info, name)} created${dryRunSuffix(parsed)}\n`;
      };
      if (dryRunOf(parsed) === 'client') return print(object.metadata?.name ?? '');
      const response = ask(environment.client, 'POST', pathOf(info, namespace), { query: writeQuery(parsed, 'kubectl-create'), body: object });
      if (isFailure(response)) throw statusError(response, `error when creating "${source}": `);
      warn(out, response);
      print((response.body as ApiObject).metadata.name);
    });
  },
};
