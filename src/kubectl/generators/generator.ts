import { resourceInfo, type ApiObject, type ResourceName } from '../../api/resources.ts';
import { plainError, usageError, type Failure } from '../failure.ts';
import { flag, parseArguments, type FlagTable, type ParsedArguments } from '../flags.ts';
import { withNamespace, type Place } from '../manifests.ts';
import type { Command } from '../registry.ts';
import { reporter, writeFlags } from '../report.ts';
import { createObject } from '../write.ts';

/** How 'kubectl create KIND' makes its object. Upstream: k8s.io/kubectl/pkg/cmd/create. */
export interface Generator {
  /** 'deployment', as in 'kubectl create deployment'. */
  verb: string;
  resource: ResourceName;
  flags: FlagTable;
  required?: readonly string[];
  /** What an error of the server begins with; without one it is printed as it is. */
  doing?: string;
  build(name: string, parsed: ParsedArguments, place: Place): object;
}

export const missing = (names: readonly string[]): Failure => plainError(`required flag(s) ${names.map((name) => `"${name}"`).join(', ')} not set`);

export const generatorFlags: FlagTable = { ...writeFlags, 'save-config': flag.bool() };

export function generatorCommand({ verb, resource, flags, required = [], doing, build }: Generator): Command {
  return {
    run(args, environment, out) {
      const usage = `kubectl create ${verb}`;
      const parsed = parseArguments(args, { ...generatorFlags, ...flags }, usage);
      const absent = required.filter((name) => !parsed.has(name));
      if (absent.length > 0) throw missing(absent);
      const [name, second] = parsed.words;
      if (name === undefined || (second !== undefined && verb !== 'deployment' && verb !== 'job' && verb !== 'cronjob')) throw usageError(`exactly one NAME is required, got ${parsed.words.length}`, usage);
      const place = withNamespace(environment, parsed);
      const info = resourceInfo(resource);
      const made = build(name, parsed, place) as ApiObject;
      const metadata = { ...made.metadata, name, ...(info.namespaced && place.enforced === true ? { namespace: place.namespace } : {}) };
      const object = createObject({ parsed, client: place.client, out, manager: 'kubectl-create' }, info, info.namespaced ? place.namespace : '', { ...made, metadata }, doing);
      reporter(parsed, out)(info, object, 'created');
    },
  };
}

/** A file's base name. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
