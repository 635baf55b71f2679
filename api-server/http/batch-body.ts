import * as z from 'zod';
import type { EntityTypeInfo } from '../../model/entity-type.ts';
import { checkShape } from '../../model/shape.ts';
import { InvalidUrnError, type ParsedUrn, parseUrn } from '../../model/urn.ts';
import { type Violation, violation } from '../../model/violation.ts';
import { CatalogError, invalid } from '../catalog/errors.ts';
import { aspectBodySchema, unwrapAspect } from './aspect-body.ts';
import type { ApiVersion } from './views.ts';

const itemV3 = z.object({ urn: z.string() }).catchall(aspectBodySchema);
const itemV2 = z.strictObject({ urn: z.string(), aspects: z.record(z.string(), aspectBodySchema) });

/** Body of a batch POST: version 3 has the aspects beside the URN, version 2 under `aspects`; each bare or in `value`. */
export const batchRequests: Readonly<Record<ApiVersion, z.ZodType>> = { v2: z.array(itemV2), v3: z.array(itemV3) };

export interface BatchItem {
  readonly urn: ParsedUrn;
  /** Aspect bodies by the names under which they were sent. */
  readonly aspects: Readonly<Record<string, unknown>>;
}

/** Reads a batch. @throws CatalogError naming every item that cannot be read. */
export function readBatch(version: ApiVersion, entityType: EntityTypeInfo, body: unknown): BatchItem[] {
  const shape = checkShape(batchRequests[version], body);
  if (!shape.ok) throw invalid(shape.violations);
  const violations: Violation[] = [];
  const items = (shape.value as Record<string, unknown>[]).flatMap((item, index) => {
    const { urn: text, ...rest } = item as { urn: string } & Record<string, object>;
    const bodies = version === 'v2' ? (rest.aspects as Record<string, unknown>) : rest;
    const urn = readUrn(text, entityType, `[${index}].urn`, violations);
    const aspects = Object.fromEntries(Object.entries(bodies).map(([name, sent]) => [name, unwrapAspect(sent)]));
    return urn === undefined ? [] : [{ urn, aspects }];
  });
  if (violations.length > 0) throw new CatalogError('malformed', invalid(violations).message);
  return items;
}

function readUrn(
  text: string,
  entityType: EntityTypeInfo,
  path: string,
  violations: Violation[],
): ParsedUrn | undefined {
  try {
    const urn = parseUrn(text);
    if (urn.entityType.name === entityType.name) return urn;
    violations.push(violation(path, `${text} is a ${urn.entityType.name}, not a ${entityType.name}`));
  } catch (error) {
    if (!(error instanceof InvalidUrnError)) throw error;
    violations.push(violation(path, error.message));
  }
  return undefined;
}
