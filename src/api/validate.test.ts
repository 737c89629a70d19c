import { describe, expect, it } from 'vitest';
import { decode } from './decode.ts';
import { applyDefaults } from './default.ts';
import { errorText } from './meta/field-error.ts';
import { resourceInfo, type ApiObject, type ResourceName } from './resources.ts';
import { validateCreate, validateUpdate, warningsFor } from './validate.ts';

const home = { namespace: 'default' };

function make(resource: ResourceName, spec: object, more: object = {}): ApiObject {
  const info = resourceInfo(resource);
  const result = decode(info, { metadata: { name: 'a', ...home }, spec, ...more }, 'Strict');
  if ('error' in result) throw new Error(result.error.message);
  applyDefaults(info, result.object);
  return result.object;
}

const refusals = (resource: ResourceName, spec: object, more: object = {}): string[] => validateCreate(resourceInfo(resource), make(resource, spec, more)).map(errorText);
const changes = (resource: ResourceName, before: object, after: object): string[] =>
  validateUpdate(resourceInfo(resource), make(resource, after, { metadata: { name: 'a', ...home, resourceVersion: '2' } }), make(resource, before, { metadata: { name: 'a', ...home, resourceVersion: '1' } })).map(errorText);

const box = { name: 'c', image: 'nginx:1' };
const pod = (container: object, more: object = {}): string[] => refusals('pods', { containers: [{ ...box, ...container }], ...more });

describe('pods', () => {
  it.each([
    ['no containers', refusals('pods', { containers: [] }), 'spec.containers: Required value'],
    ['an image with blanks', pod({ image: ' nginx' }), 'spec.containers[0].image: Invalid value: " nginx": must not have leading or trailing whitespace'],
    ['two containers of a name', refusals('pods', { containers: [box, box] }), 'spec.containers[1].name: Duplicate value: "c"'],
    ['a policy that is none', pod({ imagePullPolicy: 'Sometimes' }), 'spec.containers[0].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"'],
    ['a request above its limit', pod({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }), 'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    ['a port out of range', pod({ ports: [{ containerPort: 70_000 }] }), 'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive'],
    ['a probe of two kinds', pod({ livenessProbe: { httpGet: { port: 80 }, exec: { command: ['a'] } } }), 'spec.containers[0].livenessProbe.httpGet: Forbidden: may not specify more than 1 handler type'],
    ['a mount without a volume', pod({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }), 'spec.containers[0].volumeMounts[0].name: Not found: "v"'],
    ['a liveness probe that must succeed twice', pod({ livenessProbe: { tcpSocket: { port: 80 }, successThreshold: 2 } }), 'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1'],
    ['an init container with a readiness probe', refusals('pods', { containers: [box], initContainers: [{ ...box, name: 'i', readinessProbe: { tcpSocket: { port: 1 } } }] }), 'spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always'],
  ])('with %s are refused', (_, errors, text) => {
    expect(errors).toContain(text);
  });

  it('may change their images and little else', () => {
    const before = { containers: [box] };
    expect(changes('pods', before, { containers: [{ ...box, image: 'nginx:2' }] })).toEqual([]);
    const [error] = changes('pods', before, { containers: [{ ...box, args: ['x'] }] });
    expect(error).toMatch(/^spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`,/);
  });

  it('are warned of what is seldom meant', () => {
    expect(warningsFor(resourceInfo('pods'), make('pods', { containers: [{ ...box, env: [{ name: 'A' }, { name: 'A' }] }] }))).toEqual(['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply']);
  });
});

describe('workloads', () => {
  const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [box] } };
  const selector = { matchLabels: { app: 'x' } };

  it('must select their own template', () => {
    expect(refusals('deployments.apps', { selector: { matchLabels: { app: 'y' } }, template })).toEqual(['spec.template.metadata.labels: Invalid value: {"app":"x"}: `selector` does not match template `labels`']);
    expect(refusals('deployments.apps', { selector, template })).toEqual([]);
  });

  it('keep their selector for life', () => {
    const moved = { selector: { matchLabels: { app: 'z' } }, template: { ...template, metadata: { labels: { app: 'z' } } } };
    expect(changes('deployments.apps', { selector, template }, moved)).toEqual(['spec.selector: Invalid value: {"matchLabels":{"app":"z"}}: field is immutable']);
  });

  it('restart always, Jobs never do', () => {
    const never = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
    expect(refusals('deployments.apps', { selector, template: never })).toEqual(['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"']);
    expect(refusals('cronjobs.batch', { schedule: '* * * * *', jobTemplate: { spec: { template } } })).toEqual(['spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"']);
  });
});

describe('services', () => {
  it('need ports with names when there are several', () => {
    expect(refusals('services', {})).toContain('spec.ports: Required value');
    expect(refusals('services', { ports: [{ port: 80 }, { port: 81 }] })).toEqual(expect.arrayContaining(['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value']));
  });
});
