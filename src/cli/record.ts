import { cellsOf, columnsOf } from '../api/print/table.ts';
import { resources, type ApiObject, type ObjectOf, type ResourceName } from '../api/resources.ts';
import type { Event, PersistentVolume, Pod } from '../api/schema/types.ts';
import type { Change } from '../cluster/etcd/store.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Scenario } from '../scenarios/schema.ts';
import { formatRfc3339 } from '../sim/time.ts';

/** The files of a recording, by name. */
export interface Recording {
  'recording.jsonl': string;
  'table.jsonl': string;
  'steps.jsonl': string;
  'final.txt': string;
}

const watchedResources = (names: readonly string[]): Set<ResourceName> =>
  new Set(names.flatMap((name) => resources.filter((info) => info.plural === name).map((info) => info.resource)));

/** Cluster-wide objects that have nothing to do with the scenario are left out, as the recorder of a real cluster does. */
function concerns(object: ApiObject, resource: ResourceName, namespace: string, nodesWatched: boolean): boolean {
  const own = object.metadata.namespace;
  if (resource === 'namespaces') return object.metadata.name === namespace;
  if (resource === 'persistentvolumes') return (object as PersistentVolume).spec.claimRef?.namespace === namespace;
  if (resource === 'events') {
    const aboutNode = (object as Event).involvedObject.kind === 'Node';
    return own === namespace ? !aboutNode || nodesWatched : nodesWatched && aboutNode;
  }
  if (resource === 'services' && object.metadata.name === 'kubernetes') return false;
  return own === undefined || own === namespace;
}

const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** What a watch of the scenario's resources saw, in the form in which the recorder leaves it. */
export function makeRecording(cluster: Cluster, scenario: Scenario, final: string): Recording {
  const watched = watchedResources(scenario.watch);
  const nodesWatched = watched.has('nodes');
  const { store } = cluster;
  const entries: unknown[] = [];
  const rows: unknown[] = [];
  const columns = columnsOf('pods').map((column) => column.name);
  for (const change of store.changesFrom(0)) {
    const object = (change.version.object ?? change.previous) as ApiObject;
    if (change.version.actor === 'boot' && change.resource === 'events') continue;
    if (!concerns(object, change.resource, scenario.namespace, nodesWatched)) continue;
    const { at } = change.version;
    if (watched.has(change.resource)) entries.push({ at, type: change.type, object: shownObject(change) });
    if (change.resource === 'pods') {
      const cells = cellsOf('pods', object as Pod & ObjectOf<'pods'>, scenario.epochMs + at);
      rows.push({ at, type: change.type, name: object.metadata.name, cells: Object.fromEntries(columns.map((name, index) => [name, String(cells[index])])) });
    }
  }
  const { id, title, nodes, namespace, watch } = scenario;
  const header = {
    version: 1, scenario: { title, nodes, namespace, watch }, id, server: 'v1.37.2', startedAt: formatRfc3339(scenario.epochMs), endedAt: scenario.untilMs,
  };
  const steps = cluster.userState.commands.filter((command) => command.step !== undefined).map((command) => {
    const { step: _, line, startedAt, endedAt, stdout, stderr, exit } = command;
    return { at: startedAt, kubectl: line, stdout, stderr, exit, ...(endedAt === undefined ? {} : { endedAt }) };
  });
  return { 'recording.jsonl': lines([header, ...entries]), 'table.jsonl': lines(rows), 'steps.jsonl': lines(steps), 'final.txt': final };
}

/** A deletion shows the last state at the revision of the deletion. */
function shownObject(change: Change): ApiObject {
  const object = (change.version.object ?? change.previous) as ApiObject;
  const { managedFields: _, ...metadata } = object.metadata;
  const resourceVersion = change.type === 'DELETED' ? String(change.version.revision) : metadata.resourceVersion;
  return { ...object, metadata: { ...metadata, resourceVersion } };
}

