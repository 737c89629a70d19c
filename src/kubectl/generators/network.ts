import { plainError } from '../failure.ts';
import { flag, type ParsedArguments } from '../flags.ts';
import { portOf } from '../commands/expose.ts';
import type { Generator } from './generator.ts';

const types: Readonly<Record<string, string>> = { clusterip: 'ClusterIP', nodeport: 'NodePort', loadbalancer: 'LoadBalancer', externalname: 'ExternalName' };

const flags = { tcp: flag.list(), clusterip: flag.text(), 'node-port': flag.int(), 'external-name': flag.text() };

function portsOf(parsed: ParsedArguments): object[] {
  return parsed.list('tcp').map((pair) => {
    const [port = '', target = port] = pair.split(':');
    if (!/^\d+$/.test(port)) throw plainError(`invalid port: ${port}`);
    const nodePort = parsed.int('node-port');
    return { name: pair.replace(':', '-'), port: Number(port), protocol: 'TCP', targetPort: portOf(target), ...(nodePort === undefined ? {} : { nodePort }) };
  });
}

/** kubectl create service clusterip|nodeport|loadbalancer|externalname. */
export const services: Readonly<Record<string, Generator>> = Object.fromEntries(Object.entries(types).map(([word, type]): [string, Generator] => [word, {
  verb: `service ${word}`, resource: 'services', flags, doing: `failed to create ${type} service`, ...(word === 'externalname' ? { required: ['external-name'] } : {}),
  build(name, parsed) {
    const ports = portsOf(parsed);
    const headless = parsed.text('clusterip') === 'None';
    if (ports.length === 0 && !headless && word !== 'externalname') throw plainError('at least one tcp port specifier must be provided');
    const [clusterIP, externalName] = [parsed.text('clusterip'), parsed.text('external-name')];
    return {
      apiVersion: 'v1', kind: 'Service', metadata: { labels: { app: name } },
      spec: {
        ...(clusterIP === undefined ? {} : { clusterIP }), ...(externalName === undefined ? {} : { externalName }), ...(ports.length === 0 ? {} : { ports }), selector: { app: name }, type,
      },
      status: { loadBalancer: {} },
    };
  },
}]));

const ruleForm = /^(?<host>[\w\-*.]*)(?<path>\/.*)=(?<service>[\w-]+):(?<port>[\w-]+)(?:,tls(?:=(?<secret>[\w\-.]+))?)?$/;

const portName = (text: string) => (/^\d+$/.test(text) ? { number: Number(text) } : { name: text });

export const ingress: Generator = {
  verb: 'ingress', resource: 'ingresses.networking.k8s.io', flags: { class: flag.text(), rule: flag.texts(), 'default-backend': flag.text(), annotation: flag.texts() }, doing: 'failed to create ingress',
  build(_, parsed) {
    const [rules, backend] = [parsed.list('rule'), parsed.text('default-backend')];
    if (rules.length === 0 && backend === undefined) throw plainError('not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)');
    const hosts = new Map<string, object[]>();
    const tls = new Map<string, string[]>();
    for (const rule of rules) {
      const parts = ruleForm.exec(rule)?.groups;
      if (parts === undefined) throw plainError(`rule ${rule} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`);
      const { host = '', path = '', service = '', port = '', secret = '' } = parts;
      const prefix = path.endsWith('*');
      const paths = hosts.get(host) ?? [];
      paths.push({ backend: { service: { name: service, port: portName(port) } }, path: prefix ? path.slice(0, -1) : path, pathType: prefix ? 'Prefix' : 'Exact' });
      hosts.set(host, paths);
      if (/,tls(=|$)/.test(rule)) tls.set(secret, [...(tls.get(secret) ?? []), host]);
    }
    const annotations = Object.fromEntries(parsed.list('annotation').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
    const [name = '', port = ''] = (backend ?? '').split(':');
    return {
      apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: Object.keys(annotations).length === 0 ? {} : { annotations },
      spec: {
        ...(parsed.has('class') ? { ingressClassName: parsed.text('class') } : {}), ...(backend === undefined ? {} : { defaultBackend: { service: { name, port: portName(port) } } }),
        ...(hosts.size === 0 ? {} : { rules: [...hosts].map(([host, paths]) => ({ ...(host === '' ? {} : { host }), http: { paths } })) }),
        ...(tls.size === 0 ? {} : { tls: [...tls].map(([secretName, list]) => ({ hosts: list, ...(secretName === '' ? {} : { secretName }) })) }),
      },
      status: { loadBalancer: {} },
    };
  },
};
