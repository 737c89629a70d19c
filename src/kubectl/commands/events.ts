import type { Event } from '../../api/schema/types.ts';
import { resourceInfo } from '../../api/resources.ts';
import { parseRfc3339 } from '../../sim/time.ts';
import type { KubectlEnvironment } from '../contract.ts';
import { eventAge } from '../describe/look.ts';
import { plainError } from '../failure.ts';
import { flag, parseArguments, type ParsedArguments } from '../flags.ts';
import { withNamespace, type Place } from '../manifests.ts';
import { printingOf } from '../output/printers.ts';
import type { Command, Printer } from '../registry.ts';
import { writeFlags } from '../report.ts';
import { alignTabs } from '../table.ts';
import { listObjects, pairsOf } from '../targets.ts';

interface EventsState {
  args: readonly string[];
  seen: Record<string, string>;
  widths: number[];
}

const flags = { ...writeFlags, 'all-namespaces': flag.bool('A'), for: flag.text(), types: flag.list(), watch: flag.bool('w'), 'no-headers': flag.bool(), 'chunk-size': flag.int() };

const timeOf = ({ series, lastTimestamp, eventTime }: Event): number => parseRfc3339(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? '') ?? 0;

/** kubectl events: what happened, oldest first. Upstream: k8s.io/kubectl/pkg/cmd/events. */
export const events: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, flags, 'kubectl events');
    for (const type of parsed.list('types')) if (!/^(normal|warning)$/i.test(type)) throw plainError('valid --types are Normal or Warning');
    const place = withNamespace(environment, parsed);
    const found = chosen(parsed, place);
    if (found.length === 0 && !parsed.bool('watch')) {
      out.stderr += parsed.bool('all-namespaces') ? 'No events found.\n' : `No events found in ${place.namespace} namespace.\n`;
      return undefined;
    }
    const state: EventsState = { args, seen: {}, widths: [] };
    show(found, state, !parsed.bool('no-headers'), parsed, place, out);
    return parsed.bool('watch') ? state : undefined;
  },
  resume(state, environment, out) {
    const { args, seen, widths } = state as EventsState;
    const parsed = parseArguments(args, flags, 'kubectl events');
    const place = withNamespace(environment, parsed);
    const next: EventsState = { args, seen: { ...seen }, widths: [...widths] };
    show(chosen(parsed, place).filter(({ metadata }) => seen[metadata.uid] !== metadata.resourceVersion), next, false, parsed, place, out);
    return next;
  },
};

function chosen(parsed: ParsedArguments, place: Place): Event[] {
  const [about] = parsed.has('for') ? (pairsOf([parsed.text('for') as string]) ?? []) : [];
  if (parsed.has('for') && about === undefined) throw plainError('--for must be in resource/name form');
  const types = parsed.list('types').map((type) => type.toLowerCase());
  const all = listObjects(place, resourceInfo('events'), { everywhere: parsed.bool('all-namespaces') }) as Event[];
  return all
    .filter(({ involvedObject: { kind, name }, type }) => (about === undefined || (kind === about.info.kind && name === about.name)) && (types.length === 0 || types.includes((type ?? '').toLowerCase())))
    .sort((a, b) => timeOf(a) - timeOf(b));
}

function show(found: readonly Event[], state: EventsState, headed: boolean, parsed: ParsedArguments, { client }: KubectlEnvironment, out: Printer): void {
  for (const { metadata } of found) state.seen[metadata.uid] = metadata.resourceVersion ?? '';
  const print = printingOf(parsed.text('output'), parsed.bool('show-managed-fields'));
  if (print !== undefined) {
    const info = resourceInfo('events');
    out.stdout += parsed.text('output') === 'name' ? found.map((event) => print(info, event)).join('') : print(info, { apiVersion: 'v1', kind: 'EventList', metadata: {}, items: found });
    return;
  }
  const everywhere = parsed.bool('all-namespaces');
  const head = `${everywhere ? 'NAMESPACE\t' : ''}LAST SEEN\tTYPE\tREASON\tOBJECT\tMESSAGE\n`;
  const rows = found.map((event) => {
    const { kind = '', name = '' } = event.involvedObject;
    return `${everywhere ? `${event.metadata.namespace ?? ''}\t` : ''}${eventAge(event, client.epochMs)}\t${event.type ?? ''}\t${event.reason ?? ''}\t${kind}/${name}\t${event.message ?? ''}\n`;
  });
  out.stdout += alignTabs(`${headed ? head : ''}${rows.join('')}`, 6, 3, state.widths);
}
