import * as z from 'zod';
import { CatalogError } from '../catalog/errors.ts';

/** An aspect as a body of version 3 may have it: bare, or in `value` with siblings. */
export const aspectBodySchema = z.record(z.string(), z.unknown());

/**
 * The aspect in a body. No aspect has a field `value` of its own, so an object under that name is the aspect.
 * @throws CatalogError for no body, and for conditions that would be passed over in silence.
 */
export function unwrapAspect(body: unknown): unknown {
  if (body === undefined || body === null) throw new CatalogError('malformed', 'a JSON object is needed as the body');
  const { value, headers } = body as { value?: unknown; headers?: unknown };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return body;
  refuseConditions(headers);
  return value;
}

/** A write that should depend on the present state must not happen regardless of it. */
function refuseConditions(headers: unknown): void {
  if (typeof headers !== 'object' || headers === null) return;
  const conditions = Object.keys(headers).filter((name) => /^if-/iu.test(name));
  if (conditions.length === 0) return;
  throw new CatalogError('malformed', `headers: conditional writes (${conditions.join(', ')}) are not supported yet`);
}
