import { badRequest } from '../../api/meta/status.ts';
import type { Call, Outcome } from './environment.ts';

/** PATCH with application/apply-patch+yaml. */
export function apply(_call: Call, _body: unknown): Outcome {
  return badRequest('server-side apply is not supported');
}
