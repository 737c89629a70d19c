import { badRequest } from '../../../api/meta/status.ts';
import type { ResourceInfo } from '../../../api/resources.ts';
import type { Status } from '../../../api/schema/types.ts';

/** A request's body as plain data: text is parsed. */
export function readBody(
  body: unknown, info: ResourceInfo, patch: string | undefined, _validation: string | undefined,
): { value: unknown; warnings: string[] } | { error: Status } {
  if (typeof body !== 'string') return { value: body, warnings: [] };
  if (body.trim() === '') return { value: undefined, warnings: [] };
  try {
    return { value: JSON.parse(body) as unknown, warnings: [] };
  } catch {
    if (patch !== undefined) return { error: badRequest(patch === 'merge' ? 'invalid JSON patch' : `error decoding patch: ${body.slice(0, 30)}`) };
    const shown = body.length > 30 ? `${body.slice(0, 30)} ...` : body;
    return { error: badRequest(`the object provided is unrecognized (must be of type ${info.kind}): couldn't get version/kind; json parse error: invalid character (${shown})`) };
  }
}
