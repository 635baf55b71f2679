import { inAspect, parseAspects } from '../../model/entity/parse-aspects.ts';
import type { AspectPatch, EntityPatch } from '../../model/entity/patch.ts';
import { conditionOfValues, type EntityWrite, type WriteCondition } from '../../model/entity/write.ts';
import type { WriteOrPatch } from '../../model/entity/write-or-patch.ts';
import { parsePatch } from '../../model/patch.ts';
import type { ParsedUrn } from '../../model/urn.ts';
import { aboutEntity, addViolation, addViolations, type Violation } from '../../model/violation.ts';
import type { OwnerMark } from '../../model/wire/owner-mark.ts';
import { CatalogError, invalid, valid } from '../catalog/errors.ts';
import type { CatalogParts, CatalogSettings } from '../catalog/parts.ts';
import { requireAspect } from '../catalog/require-aspect.ts';
import { ownerOf } from '../request/headers.ts';
import type { SentAspect } from './aspect-body.ts';
import type { WriteQuery } from './parameters.ts';
import type { Asked } from './typed-routes.ts';

/** What a request sends for one entity. */
export interface SentEntity {
  readonly urn: ParsedUrn;
  /** By the names under which they were sent. */
  readonly aspects: Readonly<Record<string, SentAspect>>;
}

/** What else a request says about its writes. */
export interface WriteOptions {
  readonly settings: CatalogSettings;
  readonly query: WriteQuery;
  readonly owner: OwnerMark | undefined;
}

export function writeOptionsOf({ settings }: CatalogParts, request: Asked<unknown, WriteQuery>): WriteOptions {
  return { settings, query: request.query, owner: ownerOf(request) };
}

/** @throws CatalogError naming every violated rule. */
export function writeOf(sent: SentEntity, options: WriteOptions): EntityWrite {
  const { urn, aspects } = sent;
  const bodies = Object.fromEntries(Object.entries(aspects).map(([name, { value }]) => [name, value]));
  const preconditions = Object.entries(aspects).flatMap(([name, { precondition }]) =>
    precondition === undefined ? [] : [[requireAspect(urn, name), precondition] as const],
  );
  return {
    urn,
    ...valid(parseAspects(options.settings, urn, bodies)),
    onlyNew: options.query.createIfNotExists,
    ...(preconditions.length === 0 ? {} : { preconditions: Object.fromEntries(preconditions) }),
    ...conditionsOf(sent, options),
  };
}

/** @throws CatalogError naming every violated rule. */
export function patchOf(sent: SentEntity, options: WriteOptions): EntityPatch {
  const { urn, aspects } = sent;
  const violations: Violation[] = [];
  const single = Object.keys(aspects).length === 1;
  const patches = Object.entries(aspects).flatMap(([given, { value, precondition }]): AspectPatch[] => {
    const aspect = requireAspect(urn, given);
    const patch = parsePatch(value);
    if (patch.ok) return [{ aspect, patch: patch.value, ...(precondition === undefined ? {} : { precondition }) }];
    for (const each of patch.violations) addViolation(violations, single ? each : inAspect(aspect, each));
    return [];
  });
  if (violations.length > 0) throw invalid(violations);
  return { urn, patches, ...conditionsOf(sent, options) };
}

/** What `read` makes of each entity. @throws CatalogError naming every violated rule of every entity. */
export function changesOf<T extends WriteOrPatch>(sent: readonly SentEntity[], read: (sent: SentEntity) => T): T[] {
  const violations: Violation[] = [];
  const changes = sent.flatMap((each) => {
    try {
      return [read(each)];
    } catch (error) {
      if (!(error instanceof CatalogError && error.code === 'invalid')) throw error;
      addViolations(violations, aboutEntity(each.urn.urn, error.violations));
      return [];
    }
  });
  if (violations.length > 0) throw invalid(violations);
  return changes;
}

function conditionsOf(
  sent: SentEntity,
  { query, owner }: WriteOptions,
): { readonly condition: WriteCondition; readonly owner?: OwnerMark } {
  const names = Object.keys(sent.aspects).map((name) => name.toLowerCase());
  const onlyValues = names.length === 1 && names[0] === 'structuredproperties';
  // Any other aspect is what makes an entity exist.
  const condition = onlyValues ? conditionOfValues(sent.urn, query.createIfEntityNotExists) : 'upsert';
  return owner === undefined ? { condition } : { condition, owner };
}
