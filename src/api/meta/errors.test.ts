import { describe, expect, it } from 'vitest';
import { resourceInfo } from '../resources.ts';
import { findCondition, setCondition } from './conditions.ts';
import { aggregateText, duplicate, errorText, forbidden, invalid, notSupported, required, tooLong, tooMany } from './field-error.ts';
import { fnv32a, safeEncode, templateHash } from './hash.ts';
import { dns1123SubdomainProblems, labelValueProblems } from './names.ts';
import { alreadyExists, conflict, invalidStatus, notFoundStatus } from './status.ts';

describe('field errors', () => {
  it.each([
    [required('spec.containers'), 'spec.containers: Required value'],
    [required('spec.x', 'must be set'), 'spec.x: Required value: must be set'],
    [invalid('spec.replicas', -1, 'must be greater than or equal to 0'), 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
    [invalid('a', 'x"y', 'why'), 'a: Invalid value: "x\\"y": why'],
    [invalid('a', { b: 1 }, 'why'), 'a: Invalid value: {"b":1}: why'],
    [duplicate('a[1].name', 'c'), 'a[1].name: Duplicate value: "c"'],
    [forbidden('a', 'no'), 'a: Forbidden: no'],
    [tooLong('a', 63), 'a: Too long: may not be more than 63 bytes'],
    [tooMany('a', 3, 1), 'a: Too many: 3: must have at most 1 item'],
    [notSupported('a', 'X', ['Never', 'Always']), 'a: Unsupported value: "X": supported values: "Always", "Never"'],
  ])('%j', (error, text) => {
    expect(errorText(error)).toBe(text);
  });

  it('stand in brackets when there are several, equal ones once', () => {
    expect(aggregateText([required('a'), required('a'), required('b')])).toBe('[a: Required value, b: Required value]');
  });
});

describe('statuses', () => {
  const deployments = resourceInfo('deployments.apps');
  it('read as the API server writes them', () => {
    expect(notFoundStatus(resourceInfo('pods'), 'a')).toEqual({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'pods "a" not found', reason: 'NotFound', details: { name: 'a', kind: 'pods' }, code: 404 });
    expect(alreadyExists(deployments, 'a').message).toBe('deployments.apps "a" already exists');
    expect(conflict(deployments, 'a').message).toBe('Operation cannot be fulfilled on deployments.apps "a": the object has been modified; please apply your changes to the latest version and try again');
  });

  it('tell the cause field by field', () => {
    expect(invalidStatus(deployments, 'a', [required('spec.selector')])).toMatchObject({
      code: 422, reason: 'Invalid', message: 'Deployment.apps "a" is invalid: spec.selector: Required value',
      details: { name: 'a', group: 'apps', kind: 'Deployment', causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.selector' }] },
    });
  });
});

it('explains names', () => {
  expect(dns1123SubdomainProblems('web-1.example')).toEqual([]);
  expect(dns1123SubdomainProblems('Web')).toEqual(["a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"]);
  expect(labelValueProblems('')).toEqual([]);
  expect(labelValueProblems('a'.repeat(64))).toEqual(['must be no more than 63 bytes']);
});

it('keeps the transition time of a condition whose status stays', () => {
  const before = [{ type: 'Ready', status: 'False', reason: 'A', lastTransitionTime: 't1' }];
  const after = setCondition(before, { type: 'Ready', status: 'False', reason: 'B', lastTransitionTime: 't2' });
  expect(findCondition(after, 'Ready')).toMatchObject({ reason: 'B', lastTransitionTime: 't1' });
  expect(findCondition(setCondition(after, { type: 'Ready', status: 'True', reason: 'C', lastTransitionTime: 't3' }), 'Ready')).toMatchObject({ lastTransitionTime: 't3' });
  expect(setCondition(before, { type: 'Ready', status: 'False', reason: 'A', lastTransitionTime: 't9' })).toBe(before);
});

it('hashes equal templates equally, in letters that names may have', () => {
  expect(fnv32a('a')).toBe(0xe40c292c);
  expect(safeEncode('1234567890')).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{10}$/);
  expect(templateHash({ a: 1, b: undefined, c: [1] })).toBe(templateHash({ c: [1], a: 1 }));
  expect(templateHash({ a: 1 }, 1)).not.toBe(templateHash({ a: 1 }));
});
