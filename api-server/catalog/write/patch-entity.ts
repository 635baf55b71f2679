import { setImmediate } from 'node:timers/promises';
import { canonicalJson } from '../../../model/canonical-json.ts';
import { type ArrayKeys, applyPatch, type Patch, type PatchOperation, pointerTokens } from '../../../model/patch.ts';
import type { ParsedUrn } from '../../../model/urn.ts';
import { violation } from '../../../model/violation.ts';
import type { OwnerMark } from '../../store/port.ts';
import { invalid, missing, refuse } from '../errors.ts';
import type { CatalogParts } from '../parts.ts';
import { checkDeadline } from '../request-deadline.ts';
import { draftOf, type EntityDraft } from './entity-draft.ts';
import type { EntityWrite, WriteCondition } from './entity-write.ts';
import { parseAspect } from './parse-aspects.ts';
import { patchAssignments } from './patch-assignments.ts';
import { isLeftOut, type Precondition, unmetPreconditions } from './preconditions.ts';
import { checkWrite, type WriteContext } from './write-entity.ts';

/** Keys of arrays where the patch names none: those of the reference catalogue's templates. */
const DEFAULT_KEYS: Readonly<Record<string, ArrayKeys>> = {
  propertyDefinition: { entityTypes: '' },
  globalTags: { tags: 'tag' },
  glossaryTerms: { terms: 'urn' },
  upstreamLineage: { upstreams: 'dataset' },
};

/** A checked patch of one entity: the operations can be read; whether they apply depends on what there is. */
export interface EntityPatch {
  readonly urn: ParsedUrn;
  /** In the order in which they are applied. */
  readonly patches: readonly AspectPatch[];
  readonly owner?: OwnerMark;
  readonly condition: WriteCondition;
  /** The incarnation of the entity that the patch was checked for, or `nothing`: of a batch that is carried out. */
  readonly checkedFor?: string;
}

export interface AspectPatch {
  /** Canonical name. */
  readonly aspect: string;
  readonly patch: Patch;
  readonly precondition?: Precondition;
}

/** What an aspect's patch needs beside its own operations. */
type Surroundings = Pick<EntityPatch, 'urn' | 'owner' | 'condition'>;

/** What a patch makes of an entity. @throws CatalogError naming every violated rule; nothing is changed anywhere. */
export async function checkPatch(
  parts: CatalogParts,
  { patches, ...surroundings }: EntityPatch,
  current: EntityDraft | undefined,
  context: WriteContext,
): Promise<EntityDraft> {
  const { urn, condition } = surroundings;
  if (current === undefined && condition === 'update') throw missing(urn.urn);
  const preconditions = patches.map(({ aspect, precondition }) => [aspect, precondition] as const);
  refuse([], unmetPreconditions(preconditions, urn.entityType.keyAspect, current));
  let draft = current;
  for (const patch of patches) {
    if (isLeftOut([patch.aspect, patch.precondition], current)) continue;
    checkDeadline(parts, context);
    // One request may have thousands of them.
    await setImmediate();
    draft =
      patch.aspect === 'structuredProperties'
        ? await patchAssignments(parts, urn, surroundings.owner, patch.patch, draft, context)
        : (await checkWrite(parts, patchedWrite(parts, surroundings, patch, draft), draft, context)).draft;
  }
  return draftOf(draft);
}

/**
 * Patches of one entity as one: the definition first, since other aspects of a property need it, and neighbouring patches
 * of an aspect that can be one joined.
 */
export function joinPatches(patches: readonly AspectPatch[]): AspectPatch[] {
  const isDefinition = ({ aspect }: AspectPatch) => aspect === 'propertyDefinition';
  const ordered = [...patches.filter(isDefinition), ...patches.filter((patch) => !isDefinition(patch))];
  const joined: { last: AspectPatch; operations: PatchOperation[] }[] = [];
  for (const next of ordered) {
    const before = joined.at(-1);
    if (before !== undefined && areOne(before.last, next)) before.operations.push(...next.patch.patch);
    else joined.push({ last: next, operations: [...next.patch.patch] });
  }
  return joined.map(({ last, operations }) => ({ ...last, patch: { ...last.patch, patch: operations } }));
}

function areOne(one: AspectPatch, other: AspectPatch): boolean {
  return (
    one.aspect === other.aspect &&
    one.precondition === undefined &&
    other.precondition === undefined &&
    canonicalJson(one.patch.arrayPrimaryKeys ?? {}) === canonicalJson(other.patch.arrayPrimaryKeys ?? {})
  );
}

/** Any other aspect: the patched document is written as if it had been sent whole. */
function patchedWrite(
  parts: CatalogParts,
  { urn, owner, condition }: Surroundings,
  { aspect, patch }: AspectPatch,
  current: EntityDraft | undefined,
): EntityWrite {
  const arrayKeys = { ...DEFAULT_KEYS[aspect], ...readArrayKeys(patch) };
  const operations = patch.patch.map((operation) => ({ ...operation, tokens: pointerTokens(operation.path) }));
  const patched = applyPatch(current?.aspects[aspect]?.value ?? {}, operations, arrayKeys);
  if (!patched.ok) throw invalid(patched.violations);
  const parsed = parseAspect(parts.settings, urn, aspect, patched.value);
  return { urn, ...parsed, condition, ...(owner === undefined ? {} : { owner }) };
}

function readArrayKeys(patch: Patch): ArrayKeys {
  const keys: Record<string, string> = {};
  for (const [name, fields] of Object.entries(patch.arrayPrimaryKeys ?? {})) {
    const [field = '', ...more] = fields;
    if (more.length > 0) {
      throw invalid([
        violation('invalid-patch', `arrayPrimaryKeys.${name}`, 'one key field is supported for this aspect'),
      ]);
    }
    keys[name] = field;
  }
  return keys;
}
