import type { FieldError } from '../../../api/meta/field-error.ts';
import type { ApiObject } from '../../../api/resources.ts';
import type { Status } from '../../../api/schema/types.ts';
import type { Call } from '../environment.ts';

/**
 * What sets one resource apart on its way in and out of the store: a row of data and a few hooks.
 * Upstream: apiserver pkg/registry/rest (RESTCreateStrategy, RESTUpdateStrategy, RESTDeleteStrategy) and each kind's strategy.go.
 */
export interface Strategy {
  /** Fills in and wipes before validation. */
  prepareForCreate?(object: ApiObject, call: Call): ApiObject;
  prepareForUpdate?(next: ApiObject, old: ApiObject, call: Call): ApiObject;
  /** Gives out addresses and ports: before the validation of a new object, after that of a change. A Status refuses. */
  beforeStore?(next: ApiObject, old: ApiObject | undefined, call: Call): ApiObject | Status;
  /** Rules that need the store, beyond the kind's own validation. */
  validate?(object: ApiObject, old: ApiObject | undefined, call: Call): FieldError[];
  /** Fields whose change raises metadata.generation, 1 at creation; none: the kind has no generation. */
  generation: readonly string[];
  /** With a status subresource, status is taken from there only. */
  hasStatus: boolean;
  /** What a new object's status is. */
  initialStatus?(object: ApiObject, call: Call): unknown;
  /** A write to status may change labels and annotations too (pods, nodes). */
  statusWritesMetadata: boolean;
  /** PUT without resourceVersion is taken as "whatever is there". */
  allowsUnconditionalUpdate: boolean;
  /** PUT of a name that is not there creates. */
  createsOnUpdate: boolean;
  /** Seconds of grace of a DELETE; undefined: the kind knows no grace. */
  gracePeriodSeconds?(object: ApiObject, asked: number | undefined): number;
  /** DELETE answers with the object instead of a Status. */
  returnsDeleted: boolean;
  /** The garbage collector does not look after its dependents. */
  ignoresPropagation: boolean;
  /** A DELETE that names no policy leaves the dependents behind. Upstream: DefaultGarbageCollectionPolicy of the oldest versions. */
  orphansByDefault: boolean;
  /** A warning on every request from outside. */
  deprecation?: string;
}
