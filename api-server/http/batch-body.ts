import * as z from 'zod';
import { type EntityTypeInfo, findEntityType } from '../../model/entity-type.ts';
import { MAX_CHANGES } from '../../model/limits.ts';
import { sentList } from '../../model/sent-list.ts';
import { checkShape } from '../../model/shape.ts';
import { checkUrn, type ParsedUrn } from '../../model/urn.ts';
import { addViolation, shorten, type Violation, violation } from '../../model/violation.ts';
import { CatalogError, invalid, malformed } from '../catalog/errors.ts';
import { aspectBodySchema, type SentAspect } from './aspect-body.ts';
import type { SentEntity } from './entity-changes.ts';
import type { ApiVersion } from './views.ts';

const itemV3 = z.object({ urn: z.string() }).catchall(aspectBodySchema);
const itemV2 = z.strictObject({ urn: z.string(), aspects: z.record(z.string(), aspectBodySchema) });

/** Body of a batch: version 3 has the aspects beside the URN, version 2 under `aspects`; each bare or in `value`. */
export const batchRequests: Readonly<Record<ApiVersion, z.ZodType>> = {
  v2: sentList(itemV2).max(MAX_CHANGES),
  v3: sentList(itemV3).max(MAX_CHANGES),
};

/** Body of a batch over entity types: the name of each type to the batch of its entities. */
export const genericRequest = z.record(z.string(), batchRequests.v3);

/** Version 2's request for many entities. */
export const batchGetRequest = z.strictObject({
  urns: sentList(z.string()),
  aspectNames: sentList(z.string()).optional().describe('All when absent'),
  withSystemMetadata: z.boolean().optional(),
});

/** @throws CatalogError naming every URN that is none, or of another type. */
export function readUrns(urns: readonly string[], entityType: EntityTypeInfo): ParsedUrn[] {
  const violations: Violation[] = [];
  const read = urns.flatMap((text, index) => readUrn(text, entityType, `urns[${index}]`, violations) ?? []);
  if (violations.length > 0) throw malformed(violations);
  return read;
}

/** Reads a batch, each aspect with `readAspect`. @throws CatalogError naming every item that cannot be read. */
export function readBatch(
  version: ApiVersion,
  entityType: EntityTypeInfo,
  body: unknown,
  readAspect: (body: unknown) => SentAspect,
): SentEntity[] {
  const shape = checkShape(batchRequests[version], body);
  if (!shape.ok) throw invalid(shape.violations);
  const violations: Violation[] = [];
  const items = (shape.value as Record<string, unknown>[]).flatMap((item, index) => {
    const { urn: text, ...rest } = item as { urn: string } & Record<string, object>;
    const urn = readUrn(text, entityType, `[${index}].urn`, violations);
    if (urn === undefined) return [];
    const bodies = version === 'v2' ? (rest.aspects as Record<string, unknown>) : rest;
    const aspects = Object.fromEntries(Object.entries(bodies).map(([name, sent]) => [name, readAspect(sent)]));
    return [{ urn, aspects }];
  });
  if (violations.length > 0) throw malformed(violations);
  return items;
}

/** Reads a batch over entity types. @throws CatalogError naming the first type whose items cannot be read. */
export function readGenericBatch(body: unknown, readAspect: (body: unknown) => SentAspect): SentEntity[] {
  const shape = checkShape(genericRequest, body);
  if (!shape.ok) throw invalid(shape.violations);
  return Object.entries(shape.value).flatMap(([name, items]) => {
    const entityType = findEntityType(name);
    if (entityType === undefined) throw new CatalogError('malformed', `Unknown entity type ${name}`);
    return readBatch('v3', entityType, items, readAspect);
  });
}

function readUrn(
  text: string,
  entityType: EntityTypeInfo,
  path: string,
  violations: Violation[],
): ParsedUrn | undefined {
  const urn = checkUrn(text);
  if (!('problem' in urn) && urn.entityType.name === entityType.name) return urn;
  const other = (type: string) => `${shorten(text, 300)} is a ${type}, not a ${entityType.name}`;
  const problem = 'problem' in urn ? urn.problem : other(urn.entityType.name);
  addViolation(violations, violation('invalid-urn', path, problem));
  return undefined;
}
