import { forbiddenStatus } from '../../../api/meta/status.ts';
import type { ApiObject, ResourceName } from '../../../api/resources.ts';
import type { Status, StatusCause } from '../../../api/schema/types.ts';
import type { Call, Outcome } from '../environment.ts';

/** What a plugin is asked about. */
export interface Attributes {
  call: Call;
  object: ApiObject;
  old: ApiObject | undefined;
  /** For messages: the name, or the generateName while there is none. */
  name: string;
}

export interface Plugin {
  name: string;
  /** Absent: all of them. */
  resources?: readonly ResourceName[];
  admit?(attributes: Attributes): Outcome;
  validate?(attributes: Attributes): Status | undefined;
}

export const forbid = ({ call, name }: Attributes, why: string, causes?: StatusCause[]): Status => forbiddenStatus(call.info, name, why, causes);
