import { resourceInfo } from '../../api/resources.ts';
import type { CronJob } from '../../api/schema/types.ts';
import { getObject } from '../api.ts';
import { notFound, plainError } from '../failure.ts';
import { flag } from '../flags.ts';
import { resourceList } from '../targets.ts';
import { baseName, type Generator } from './generator.ts';

/** An image's last part, without tag and digest. */
function nameOfImage(image: string): string {
  const name = baseName(image).replace(/[:@].*$/, '');
  return name.replace(/[^a-z0-9-]/gi, '-').toLowerCase();
}

const container = (name: string, image: string, command: readonly string[]) => ({ name, image, resources: {}, ...(command.length === 0 ? {} : { command }) });

export const deployment: Generator = {
  verb: 'deployment', resource: 'deployments.apps', flags: { image: flag.list(), port: flag.int32(), replicas: flag.int32('r') }, required: ['image'], doing: 'failed to create deployment',
  build(name, parsed) {
    const images = parsed.list('image');
    const command = [...parsed.words.slice(1), ...parsed.command];
    if (images.length > 1 && command.length > 0) throw plainError('cannot specify multiple --image options and command');
    const [labels, port, replicas = 1] = [{ app: name }, parsed.int('port'), parsed.int('replicas')];
    const containers = images.map((image, index) => ({ ...container(nameOfImage(image), image, command), ...(index === 0 && port !== undefined ? { ports: [{ containerPort: port }] } : {}) }));
    return {
      apiVersion: 'apps/v1', kind: 'Deployment', metadata: { labels },
      spec: { replicas, selector: { matchLabels: labels }, strategy: {}, template: { metadata: { labels }, spec: { containers } } }, status: {},
    };
  },
};

export const job: Generator = {
  verb: 'job', resource: 'jobs.batch', flags: { image: flag.text(), from: flag.text() }, doing: 'failed to create job',
  build(name, parsed, place) {
    const [image, from] = [parsed.text('image'), parsed.text('from')];
    const command = [...parsed.words.slice(1), ...parsed.command];
    if ((image === undefined) === (from === undefined)) throw plainError('either --image or --from must be specified');
    if (from !== undefined) {
      if (command.length > 0) throw plainError('cannot specify --from and command');
      const [kind = '', source = ''] = from.split('/');
      const [info] = resourceList(kind);
      const found = info === undefined ? undefined : getObject(place.client, info, place.namespace, source);
      if (info !== undefined && found === undefined) throw notFound(info, source);
      if (found?.kind !== 'CronJob') throw plainError('from must be an existing cronjob');
      return fromCronJob(found as CronJob);
    }
    return { apiVersion: 'batch/v1', kind: 'Job', spec: { template: { metadata: {}, spec: { containers: [container(name, image ?? '', command)], restartPolicy: 'Never' } } }, status: {} };
  },
};

function fromCronJob({ metadata, spec }: CronJob): object {
  const { metadata: template, spec: jobSpec } = spec.jobTemplate;
  const { metadata: podMetadata = {}, ...rest } = jobSpec?.template ?? {};
  return {
    apiVersion: 'batch/v1', kind: 'Job',
    metadata: {
      annotations: { 'cronjob.kubernetes.io/instantiate': 'manual', ...template?.annotations }, ...(template?.labels === undefined ? {} : { labels: template.labels }),
      ownerReferences: [{ apiVersion: 'batch/v1', kind: resourceInfo('cronjobs.batch').kind, name: metadata.name, uid: metadata.uid, controller: true }],
    },
    spec: { ...jobSpec, template: { metadata: podMetadata, ...rest } }, status: {},
  };
}

export const cronJob: Generator = {
  verb: 'cronjob', resource: 'cronjobs.batch', flags: { image: flag.text(), schedule: flag.text(), restart: flag.text() }, required: ['image', 'schedule'], doing: 'failed to create cronjob',
  build: (name, parsed) => ({
    apiVersion: 'batch/v1', kind: 'CronJob',
    spec: {
      jobTemplate: { metadata: { name }, spec: { template: { metadata: {}, spec: { containers: [container(name, parsed.text('image') ?? '', [...parsed.words.slice(1), ...parsed.command])], restartPolicy: parsed.text('restart') ?? 'OnFailure' } } } },
      schedule: parsed.text('schedule'),
    },
    status: {},
  }),
};
