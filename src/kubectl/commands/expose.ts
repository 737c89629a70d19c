import { resourceInfo, type ApiObject } from '../../api/resources.ts';
import type { Deployment, Pod, ReplicationController, Service } from '../../api/schema/types.ts';
import { plainError } from '../failure.ts';
import { flag, parseArguments, type ParsedArguments } from '../flags.ts';
import { podSpecOf } from '../pod-template.ts';
import type { Command } from '../registry.ts';
import { choiceFlags } from '../report.ts';
import type { Found } from '../targets.ts';
import { changeEach, createObject } from '../write.ts';

const flags = {
  ...choiceFlags, port: flag.text(), 'target-port': flag.text(), protocol: flag.text(), type: flag.text(), name: flag.text(), labels: flag.text('l'), selector: flag.text(), 'external-ip': flag.text(),
  'load-balancer-ip': flag.text(), 'cluster-ip': flag.text(), 'session-affinity': flag.text(), overrides: flag.text(), 'save-config': flag.bool(),
};

const exposable = new Set(['pods', 'services', 'replicationcontrollers', 'deployments.apps', 'replicasets.apps']);

export const pairsAsMap = (text: string): Record<string, string> => Object.fromEntries(text.split(',').map((pair) => {
  const [key = '', value] = pair.split('=');
  if (value === undefined) throw plainError(`unexpected label spec: ${pair}`);
  return [key, value];
}));

export const portOf = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);

/** kubectl expose: a Service in front of what is there. Upstream: k8s.io/kubectl/pkg/cmd/expose. */
export const expose: Command = {
  run(args, environment, out) {
    const parsed = parseArguments(args, flags, 'kubectl expose');
    changeEach(parsed.words, parsed, environment, out, 'kubectl-expose', {}, (found, change, report) => {
      if (!exposable.has(found.info.resource)) throw plainError(`cannot expose a ${found.info.kind}${found.info.group === '' ? '' : `.${found.info.group}`}`);
      const service = serviceFor(found, parsed);
      const namespace = parsed.has('namespace') ? { namespace: found.namespace } : {};
      const object = { ...service, metadata: { ...service.metadata, ...namespace } } as unknown as ApiObject;
      report(resourceInfo('services'), createObject(change, resourceInfo('services'), found.namespace, object), 'exposed');
    });
  },
};

function serviceFor({ object, name }: Found, parsed: ParsedArguments): Omit<Service, 'metadata'> & { metadata: object } {
  const text = (key: string) => parsed.text(key);
  const selector = text('selector') === undefined ? selectorOf(object) : pairsAsMap(text('selector') as string);
  const ports = text('port')?.split(',') ?? portsOf(object).map(({ port }) => String(port));
  const headless = text('cluster-ip') === 'None';
  if (ports.length === 0 && !headless) throw plainError("couldn't find port via --port flag or introspection");
  const labels = text('labels') === undefined ? object.metadata.labels : pairsAsMap(text('labels') as string);
  const protocols = new Map(portsOf(object).map(({ port, protocol }) => [port, protocol]));
  const target = text('target-port');
  return {
    apiVersion: 'v1', kind: 'Service',
    metadata: { name: text('name') ?? name.slice(0, 63), ...(labels === undefined ? {} : { labels }) },
    spec: {
      ...(ports.length === 0 ? {} : {
        ports: ports.map((port, index) => ({
          port: Number(port), protocol: text('protocol') ?? protocols.get(Number(port)) ?? 'TCP', targetPort: target === undefined ? Number(port) : portOf(target), ...(ports.length > 1 ? { name: `port-${index + 1}` } : {}),
        })),
      }),
      selector,
      ...optional(parsed, { type: 'type', clusterIP: 'cluster-ip', loadBalancerIP: 'load-balancer-ip', sessionAffinity: 'session-affinity' }),
      ...(text('external-ip') === undefined ? {} : { externalIPs: [text('external-ip') as string] }),
    },
    status: { loadBalancer: {} },
  };
}

const optional = (parsed: ParsedArguments, fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([field, name]) => (parsed.has(name) ? [[field, parsed.text(name) as string]] : [])));

/** Upstream: polymorphichelpers/mapbasedselectorforobject.go. */
function selectorOf(object: ApiObject): Record<string, string> {
  const fail = (why: string) => plainError(`couldn't retrieve selectors via --selector flag or introspection: ${why}`);
  if (object.kind === 'Pod') {
    if (Object.keys(object.metadata.labels ?? {}).length === 0) throw fail('the pod has no labels and cannot be exposed');
    return { ...object.metadata.labels };
  }
  if (object.kind === 'Service' || object.kind === 'ReplicationController') {
    const { selector } = (object as Service | ReplicationController).spec ?? {};
    if (selector === undefined) throw fail(object.kind === 'Service' ? 'the service has no pod selector set' : 'no selector');
    return { ...selector };
  }
  const { matchLabels, matchExpressions = [] } = (object as Deployment).spec.selector;
  if (matchExpressions.length > 0) throw fail('couldn\'t convert expressions - "[...]" to map-based selector format');
  return { ...matchLabels };
}

function portsOf(object: ApiObject): { port: number; protocol: string }[] {
  if (object.kind === 'Service') return ((object as Service).spec.ports ?? []).map(({ port, protocol = 'TCP' }) => ({ port, protocol }));
  const spec = podSpecOf(object) ?? (object as Pod).spec;
  return spec.containers.flatMap(({ ports = [] }) => ports.map(({ containerPort, protocol = 'TCP' }) => ({ port: containerPort, protocol })));
}
