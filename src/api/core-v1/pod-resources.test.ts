import { expect, it } from 'vitest';
import type { PodSpec } from '../schema/types.ts';
import { podLimits, podRequestAmounts, podRequests, qosClass } from './pod-resources.ts';

const box = (name: string, requests?: Record<string, string>, limits?: Record<string, string>, more: object = {}) =>
  ({ name, image: 'x', resources: { ...(requests === undefined ? {} : { requests }), ...(limits === undefined ? {} : { limits }) }, ...more });
const spec = (containers: object[], more: object = {}): { spec: PodSpec } => ({ spec: { containers, ...more } as PodSpec });
const sidecar = { restartPolicy: 'Always' };

it('sums the containers, or takes what an init container needs with the sidecars before it', () => {
  expect(podRequests(spec([box('a', { cpu: '100m' }), box('b', { cpu: '200m', memory: '1Gi' })]))).toEqual({ cpu: '300m', memory: '1Gi' });
  expect(podRequests(spec([box('a', { cpu: '100m' })], { initContainers: [box('i', { cpu: '1' })] }))).toEqual({ cpu: '1' });
  const initContainers = [box('s', { cpu: '300m' }, undefined, sidecar), box('i', { cpu: '500m' }), box('t', { cpu: '100m' }, undefined, sidecar)];
  expect(podRequests(spec([box('a', { cpu: '100m' })], { initContainers }))).toEqual({ cpu: '800m' });
  expect(podRequests(spec([box('a', { cpu: '600m' })], { initContainers }))).toEqual({ cpu: '1' });
});

it('lets pod-level amounts win and adds the overhead', () => {
  expect(podRequests(spec([box('a', { cpu: '100m', memory: '1Mi' })], { resources: { requests: { cpu: '1' } }, overhead: { cpu: '50m' } }))).toEqual({ cpu: '1050m', memory: '1Mi' });
  expect(podLimits(spec([box('a')], { overhead: { cpu: '50m' } }))).toEqual({});
  expect(podRequestAmounts(spec([box('a', { cpu: '1.5', memory: '1Ki' })]))).toEqual({ cpu: 1500, memory: 1024 });
});

it.each([
  ['BestEffort', [box('a')], {}],
  ['Burstable', [box('a', { cpu: '1' })], {}],
  ['Burstable', [box('a', { cpu: '1', memory: '1Gi' }, { cpu: '1', memory: '1Gi' }), box('b')], {}],
  ['Guaranteed', [box('a', { cpu: '1', memory: '1Gi' }, { cpu: '1000m', memory: '1024Mi' })], {}],
  ['Burstable', [box('a', { cpu: '1', memory: '1Gi' }, { cpu: '2', memory: '1Gi' })], {}],
  ['Guaranteed', [box('a')], { resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } } }],
])('%s', (expected, containers, more) => {
  expect(qosClass(spec(containers, more))).toBe(expected);
});
