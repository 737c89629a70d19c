import { nodeAddress, type Container, type Ports, type ProcessRecord, type RuntimeState, type Sandbox } from './state.ts';

/** A process that listens, found. */
export interface Listener {
  container: Container;
  process: ProcessRecord;
}

/** The ports of the network namespace in which a sandbox lives. */
export const portsOf = (state: RuntimeState, sandbox: Sandbox): Ports => (sandbox.hostNetwork ? state.hostPorts : sandbox.ports);

/** The network namespace behind an address of this node. */
export function portsAt(state: RuntimeState, address: string): Ports | undefined {
  if (address === nodeAddress(state.settings.index)) return state.hostPorts;
  const id = state.addresses[address];
  return id === undefined ? undefined : state.sandboxes[id]?.ports;
}

export function listenerOn(state: RuntimeState, ports: Ports, port: number): Listener | undefined {
  const owner = ports[port];
  const container = owner === undefined ? undefined : state.containers[owner.containerId];
  const process = container?.processes.find((record) => record.pid === owner?.pid);
  return container === undefined || process === undefined ? undefined : { container, process };
}

/** Takes all ports of a container. */
export function closePorts(ports: Ports, containerId: string): void {
  for (const port of Object.keys(ports)) if (ports[port]?.containerId === containerId) delete ports[port];
}
