import { describe, expect, it } from 'vitest';
import { decode, decodeStruct, nearestField, structAt, type FieldValidation } from './decode.ts';
import { resourceInfo } from './resources.ts';

const pods = resourceInfo('pods');
const pod = (spec: unknown, metadata: unknown = { name: 'a' }) => ({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
const messageOf = (value: unknown, mode: FieldValidation = 'Strict'): string | undefined => {
  const result = decode(pods, value, mode);
  return 'error' in result ? result.error.message : undefined;
};
const handled = 'Pod in version "v1" cannot be handled as a Pod: ';

describe('what does not fit its type', () => {
  it.each([
    [pod({ containers: 'x' }), 'json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container'],
    [pod({ containers: [{ name: 'c', image: 'x', command: 'sh' }] }), 'json: cannot unmarshal string into Go struct field Container.spec.containers.command of type []string'],
    [pod({ containers: [{ name: 'c', ports: [{ containerPort: '80' }] }] }), 'json: cannot unmarshal string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32'],
    [pod({}, { name: 'a', labels: { v: 1 } }), 'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string'],
    [pod({ hostNetwork: 'yes' }), 'json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool'],
    [pod({ containers: [{ resources: { limits: { cpu: 'much' } } }] }), "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
  ])('%j', (value, why) => {
    expect(messageOf(value)).toBe(handled + why);
  });

  it('names the kind that the server expects', () => {
    expect(messageOf({ apiVersion: 'v1', kind: 'Service', metadata: {} })).toBe('Service in version "v1" cannot be handled as a Pod: no kind "Service" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"');
  });
});

describe('unknown fields', () => {
  const value = pod({ containers: [{ name: 'c', imagee: 'x' }], replicas: 1 });
  it('are refused, warned of or dropped', () => {
    expect(messageOf(value)).toBe(`${handled}strict decoding error: unknown field "spec.containers[0].imagee", unknown field "spec.replicas"`);
    const warned = decode(pods, value, 'Warn');
    expect('warnings' in warned && warned.warnings).toEqual(['unknown field "spec.containers[0].imagee"', 'unknown field "spec.replicas"']);
    const dropped = decode(pods, value, 'Ignore');
    expect('object' in dropped && dropped.object).toEqual({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'c' }] } });
  });

  it('have a known one near them', () => {
    expect(nearestField(structAt('Pod', 'spec.containers[0].imagee') as string, 'imagee')).toBe('image');
    expect(nearestField('PodSpec', 'container')).toBe('containers');
    expect(nearestField('Container', 'zzz')).toBeUndefined();
  });
});

it('puts quantities and times into their one form', () => {
  expect(decodeStruct('ResourceRequirements', { limits: { cpu: '0.5', memory: '1024Mi', 'x/y': 1 } }).value).toEqual({ limits: { cpu: '500m', memory: '1Gi', 'x/y': '1' } });
  expect(decodeStruct('ObjectMeta', { creationTimestamp: '2026-01-05T10:00:00+01:00' }).value).toEqual({ creationTimestamp: '2026-01-05T09:00:00Z' });
});
