import { describe, expect, it } from 'vitest';
import { waitOf, type ClientUse } from './client-limits.ts';
import { testCluster } from './testing/test-cluster.ts';

describe('the rate of a client', () => {
  it('is a burst, then a steady pace, and recovers when it rests', () => {
    const use: ClientUse = {};
    const waits = (now: number, count: number) => Array.from({ length: count }, () => waitOf(use, 'replicaset-controller', now));
    expect(waits(0, 32)).toEqual([...Array.from({ length: 30 }, () => 0), 50, 100]);
    expect(waits(1000, 20)[0]).toBe(0);
    expect(waits(60_000, 30).at(-1)).toBe(0);
    expect(Array.from({ length: 500 }, () => waitOf(use, 'user', 0)).at(-1)).toBe(0);
  });

  it('shows in how fast a ReplicaSet of many pods comes', () => {
    const cluster = testCluster({ nodes: 3 }).apply(`apiVersion: apps/v1
kind: ReplicaSet
metadata: { name: web }
spec:
  replicas: 90
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: app, image: "nginx:1.25" }]`).runFor('1s');
    // Beside the pods it writes its own status.
    expect(cluster.pods('web-').length).toBeGreaterThan(35);
    expect(cluster.pods('web-').length).toBeLessThan(55);
    expect(cluster.runFor('3s').pods('web-')).toHaveLength(90);
  });
});
