import type { Endpoint, EndpointSlice, Service, ServicePort } from '../../api/schema/types.ts';

/** Where a connection to a Service goes. */
export type ProxyChoice =
  | { ok: true; address: string; port: number; node: string | undefined }
  /** REJECT: nobody is there to take it. DROP: a local policy and nobody on this node. */
  | { ok: false; error: 'refused' | 'timeout' };

export interface ProxyQuestion {
  service: Service;
  servicePort: ServicePort;
  /** All slices of the Service. */
  slices: readonly EndpointSlice[];
  /** The node on which the rule is evaluated. */
  node: string;
  /** For sessionAffinity ClientIP. */
  clientAddress: string;
  /** From outside the cluster, through a node port: externalTrafficPolicy counts. */
  external: boolean;
  /** A draw below its bound. */
  random(bound: number): number;
}

interface Candidate {
  address: string;
  port: number;
  node: string | undefined;
}

/** Picks the endpoint of one new connection. Upstream: pkg/proxy/topology.go CategorizeEndpoints, pkg/proxy/iptables/proxier.go. */
export function chooseEndpoint(question: ProxyQuestion): ProxyChoice {
  const { service, servicePort, slices, node, external } = question;
  const policy = (external ? service.spec.externalTrafficPolicy : service.spec.internalTrafficPolicy) ?? 'Cluster';
  const all = slices.filter((slice) => slice.addressType === 'IPv4').flatMap((slice) => candidatesOf(slice, servicePort));
  const eligible = policy === 'Local' ? all.filter(({ endpoint }) => endpoint.nodeName === node) : all;
  const ready = eligible.filter(({ endpoint }) => endpoint.conditions?.ready !== false);
  const chosen = ready.length > 0 ? ready : eligible.filter(isLastResort);
  if (chosen.length > 0) return { ok: true, ...pick(question, chosen.map(({ candidate }) => candidate)) };
  const someElsewhere = policy === 'Local' && all.some(({ endpoint }) => endpoint.conditions?.ready !== false);
  return { ok: false, error: someElsewhere ? 'timeout' : 'refused' };
}

interface Eligible {
  endpoint: Endpoint;
  candidate: Candidate;
}

const isLastResort = ({ endpoint }: Eligible) => endpoint.conditions?.serving === true && endpoint.conditions.terminating === true;

/** Slice ports carry the name of the Service's port; the number in them is already the pod's (named target ports are resolved there). */
function candidatesOf(slice: EndpointSlice, servicePort: ServicePort): Eligible[] {
  const port = slice.ports?.find((row) => (row.name ?? '') === (servicePort.name ?? '') && (row.protocol ?? 'TCP') === (servicePort.protocol ?? 'TCP'));
  const number = port?.port;
  if (number === undefined) return [];
  return (slice.endpoints ?? []).flatMap((endpoint) => {
    const address = endpoint.addresses[0];
    return address === undefined ? [] : [{ endpoint, candidate: { address, port: number, node: endpoint.nodeName } }];
  });
}

/** Uniform chance. Simplified: ClientIP affinity is a fixed choice by the client's address instead of a memory of three hours. */
function pick({ service, clientAddress, random }: ProxyQuestion, candidates: readonly Candidate[]): Candidate {
  const index = service.spec.sessionAffinity === 'ClientIP' ? spread(clientAddress) % candidates.length : candidates.length === 1 ? 0 : random(candidates.length);
  return candidates[index] as Candidate;
}

function spread(text: string): number {
  let sum = 7;
  for (let index = 0; index < text.length; index++) sum = (sum * 31 + text.charCodeAt(index)) % 1_000_003;
  return sum;
}
