import { invalid, notSupported, required } from '../meta/field-error.ts';
import { notNegative, type Errors } from '../meta/check.ts';
import { dns1123SubdomainProblems } from '../meta/names.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta.ts';
import { defaultTemplate } from '../apps-v1/workloads.ts';
import { fill } from '../core-v1/pod-defaults.ts';
import { shownSelector } from '../core-v1/template-validation.ts';
import { cronProblem } from './cron-schedule.ts';
import type { CronJob, JobSpec, PodTemplateSpec } from '../schema/types.ts';
import { validateSpecOfJob } from './jobs.ts';

/** Upstream: pkg/apis/batch/v1/defaults.go SetDefaults_CronJob, pkg/apis/batch/validation/validation.go ValidateCronJobCreate. */

export function defaultCronJob(job: CronJob): void {
  (job as { spec?: unknown }).spec ??= {};
  (job as { status?: unknown }).status ??= {};
  const spec = job.spec;
  (spec as { schedule?: unknown }).schedule ??= '';
  fill(spec, { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
  const template = (spec.jobTemplate ??= {} as CronJob['spec']['jobTemplate']);
  fill(template, { metadata: {}, spec: {} });
  defaultTemplate(((template.spec as JobSpec).template ??= {} as PodTemplateSpec));
}

/** Simplified: a zone is known if its area is one of the IANA database's; its city is taken as it is. */
const areas = /^(UTC|GMT|Etc\/.+|EST|MST|HST|EST5EDT|CST6CDT|MST7MDT|PST8PDT|CET|MET|EET|WET|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|US|Canada|Brazil|Chile|Mexico)\/[A-Z].*|[A-Z][A-Za-z-]+)$/;
const knownZone = (zone: string) => areas.test(zone);

const zonePattern = /^[A-Za-z0-9_+-]+(\/[A-Za-z0-9_+-]+)*$/;

function validateTimeZone(errors: Errors, path: string, zone: string | undefined): void {
  if (zone === undefined) return;
  if (zone === '') errors.push(invalid(path, zone, 'timeZone must be nil or non-empty string'));
  else if (!zonePattern.test(zone) || !knownZone(zone)) errors.push(invalid(path, zone, 'unknown time zone ' + zone));
  else if (zone.toLowerCase() === 'local') errors.push(invalid(path, zone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'));
}

function validateCronSpec(errors: Errors, spec: CronJob['spec'], oldSchedule?: string): void {
  if (spec.schedule) {
    const problem = cronProblem(spec.schedule);
    if (problem !== undefined) errors.push(invalid('spec.schedule', spec.schedule, problem));
    if (/TZ/.test(spec.schedule)) {
      if (spec.timeZone !== undefined) errors.push(invalid('spec.schedule', spec.schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
      else if (spec.schedule !== oldSchedule) errors.push(invalid('spec.schedule', spec.schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
    }
  }
  notNegative(errors, 'spec.startingDeadlineSeconds', spec.startingDeadlineSeconds);
  validateTimeZone(errors, 'spec.timeZone', spec.timeZone);
  if (!spec.concurrencyPolicy) errors.push(required('spec.concurrencyPolicy'));
  else if (!['Allow', 'Forbid', 'Replace'].includes(spec.concurrencyPolicy)) errors.push(notSupported('spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']));
  const inner = spec.jobTemplate?.spec as JobSpec;
  if (inner.selector !== undefined) errors.push(invalid('spec.jobTemplate.spec.selector', shownSelector(inner.selector), '`selector` will be auto-generated'));
  if (inner.manualSelector === true) errors.push(notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false'], false));
  validateSpecOfJob(errors, 'spec.jobTemplate.spec', inner);
  notNegative(errors, 'spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit);
  notNegative(errors, 'spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit);
  if (!spec.schedule) errors.push(required('spec.schedule'));
}

/** Its jobs get eleven more characters. */
const cronNameMax = 52;

export function validateCronJob(errors: Errors, job: CronJob): void {
  validateObjectMeta(errors, job.metadata, true, dns1123SubdomainProblems);
  validateCronSpec(errors, job.spec);
  if ((job.metadata.name ?? '').length > cronNameMax) errors.push(invalid('metadata.name', job.metadata.name, `must be no more than ${cronNameMax} characters`));
}

export function validateCronJobUpdate(errors: Errors, job: CronJob, old: CronJob): void {
  validateObjectMetaUpdate(errors, job.metadata, old.metadata);
  validateCronSpec(errors, job.spec, old.spec.schedule);
}
