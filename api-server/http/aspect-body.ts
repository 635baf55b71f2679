import * as z from 'zod';
import type { Precondition } from '../../model/entity/preconditions.ts';
import { checkShape } from '../../model/shape.ts';
import { CatalogError, invalid } from '../catalog/errors.ts';

/** An aspect as a body of version 3 may have it: bare, or in `value` with siblings. */
export const aspectBodySchema = z.record(z.string(), z.unknown());

export interface SentAspect {
  readonly value: unknown;
  readonly precondition?: Precondition;
}

const instant = z.iso.datetime({ offset: true, error: 'an ISO 8601 instant such as 2026-01-31T12:00:00Z is expected' });

/** Conditions of a write, sent as `headers` beside the aspect's `value`, in lower case. */
const conditionsSchema = z.strictObject({
  'if-version-match': z
    .union(
      [
        z.int(),
        z
          .string()
          .regex(/^-?\d{1,15}$/u)
          .transform(Number),
      ],
      {
        error: 'a version is expected, or -1 for an absent aspect',
      },
    )
    .optional(),
  'if-modified-since': instant.optional(),
  'if-unmodified-since': instant.optional(),
  'if-none-match': z.literal('*', { error: 'only * is supported' }).optional(),
});

/**
 * The aspect in a body, with the conditions of its write. No aspect has a field `value` of its own, so an object under
 * that name is the aspect.
 * @throws CatalogError for no body, and for conditions that cannot be read: a write that should depend on the present
 * state must not happen regardless of it.
 */
export function readAspectBody(body: unknown): SentAspect {
  if (body === undefined || body === null) throw new CatalogError('malformed', 'a JSON object is needed as the body');
  const { value, headers } = body as { value?: unknown; headers?: unknown };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value: body };
  const precondition = readPrecondition(headers);
  return precondition === undefined ? { value } : { value, precondition };
}

/** What is asked of an aspect in a request that reads it: nothing, or `headers` with the version that is wanted. */
export function readWantedAspect(body: unknown): SentAspect {
  const precondition = readPrecondition((body as { headers?: unknown } | null)?.headers);
  return precondition === undefined ? { value: undefined } : { value: undefined, precondition };
}

function readPrecondition(headers: unknown): Precondition | undefined {
  if (headers === undefined || headers === null) return undefined;
  if (typeof headers !== 'object' || Array.isArray(headers)) {
    throw new CatalogError('malformed', 'headers: an object is expected');
  }
  const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const conditions = sent.filter(([name]) => name.startsWith('if-'));
  if (conditions.length === 0) return undefined;
  const shape = checkShape(conditionsSchema, Object.fromEntries(conditions));
  if (!shape.ok) throw new CatalogError('malformed', `headers: ${invalid(shape.violations).message}`);
  const version = shape.value['if-version-match'];
  const modifiedSince = shape.value['if-modified-since'];
  const unmodifiedSince = shape.value['if-unmodified-since'];
  return {
    ...(version === undefined ? {} : { version }),
    ...(modifiedSince === undefined ? {} : { modifiedSince: Date.parse(modifiedSince) }),
    ...(unmodifiedSince === undefined ? {} : { unmodifiedSince: Date.parse(unmodifiedSince) }),
    ...(shape.value['if-none-match'] === undefined ? {} : { onlyIfAbsent: true }),
  };
}
