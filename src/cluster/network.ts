/** What a program inside a container, a probe or a client outside can ask of the cluster's network. Answers are computed for this instant. */
export interface Network {
  /** A DNS question as the resolver of a pod asks it (search domains, ndots are the asker's business: the name is taken as given). */
  resolve(question: DnsQuestion): DnsAnswer;
  /** Opens a TCP connection: through a Service address (kube-proxy picks an endpoint) or straight to a pod or node address. */
  connect(from: Origin, address: string, port: number): Connection;
  /** One HTTP request over such a connection. */
  http(from: Origin, request: HttpRequest): HttpAnswer;
}

/** Where a request starts: a pod (its node counts for NetworkPolicy and local traffic) or a node itself. */
export interface Origin {
  node: string;
  podUid?: string;
}

export interface DnsQuestion {
  from: Origin;
  /** Fully qualified without the last dot: 'myservice.default.svc.cluster.local'. */
  name: string;
  type: 'A' | 'AAAA' | 'SRV';
}

export interface DnsAnswer {
  /** SERVFAIL: no DNS server answered in time (coredns has no ready pod, or the node is cut off). */
  code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL' | 'TIMEOUT';
  addresses: string[];
  latencyMs: number;
}

export type Connection =
  | { ok: true; latencyMs: number; node: string; podUid: string; containerId: string; address: string; port: number }
  /** refused: nothing listens (or a Service without endpoints); timeout: nobody answers; unreachable: no such address. */
  | { ok: false; error: 'refused' | 'timeout' | 'unreachable' | 'reset'; latencyMs: number; address: string; port: number };

export interface HttpRequest {
  method: string;
  address: string;
  port: number;
  path: string;
  headers?: Record<string, string>;
  scheme?: 'http' | 'https';
}

export type HttpAnswer =
  | {
      ok: true;
      status: number;
      headers: Record<string, string>;
      body: string;
      latencyMs: number;
      /** Who answered. */
      node: string;
      podUid: string;
      /** The same question gets the same answer until this time, unless the container changes (undefined: for ever; now: never again). */
      steadyUntil?: number;
    }
  | { ok: false; error: 'refused' | 'timeout' | 'unreachable' | 'reset' | 'not-http'; latencyMs: number; address: string; port: number };
