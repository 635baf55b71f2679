import { type ArrayKeys, applyPatch, type Patch, pointerTokens } from '../../model/patch.ts';
import type { ParsedUrn } from '../../model/urn.ts';
import { violation } from '../../model/violation.ts';
import type { OwnerMark } from '../store/port.ts';
import { draftOf, type EntityDraft } from './entity-draft.ts';
import type { EntityWrite, WriteCondition } from './entity-write.ts';
import { invalid, missing, refuse } from './errors.ts';
import { parseAspect } from './parse-aspects.ts';
import type { CatalogParts } from './parts.ts';
import { patchAssignments } from './patch-assignments.ts';
import { isLeftOut, type Preconditions, unmetPreconditions } from './preconditions.ts';
import { checkWrite, prepareWrite, type WriteContext } from './write-entity.ts';

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
  readonly preconditions?: Preconditions;
  /** The incarnation of the entity that the patch was checked for, or `nothing`: of a batch that is carried out. */
  readonly checkedFor?: string;
}

export interface AspectPatch {
  /** Canonical name. */
  readonly aspect: string;
  readonly patch: Patch;
}

/** What an aspect's patch needs beside its own operations. */
type Surroundings = Pick<EntityPatch, 'urn' | 'owner' | 'condition'>;

/** What a patch makes of an entity. @throws CatalogError naming every violated rule; nothing is changed anywhere. */
export async function checkPatch(
  parts: CatalogParts,
  patch: EntityPatch,
  current: EntityDraft | undefined,
  context: WriteContext,
): Promise<EntityDraft> {
  const check = async (write: EntityWrite, draft: EntityDraft | undefined) =>
    (await checkWrite(parts, write, draft, context)).draft;
  return applyPatches(parts, patch, current, context, check);
}

/** As {@link checkPatch}, and does what has to be done before the patch reaches the store. */
export function preparePatch(
  parts: CatalogParts,
  patch: EntityPatch,
  current: EntityDraft | undefined,
  context: WriteContext,
): Promise<EntityDraft> {
  return applyPatches(parts, patch, current, context, (write, draft) => prepareWrite(parts, write, draft, context));
}

async function applyPatches(
  parts: CatalogParts,
  { patches, preconditions = {}, ...surroundings }: EntityPatch,
  current: EntityDraft | undefined,
  context: WriteContext,
  write: (write: EntityWrite, draft: EntityDraft | undefined) => Promise<EntityDraft>,
): Promise<EntityDraft> {
  const { urn, condition } = surroundings;
  if (current === undefined && condition === 'update') throw missing(urn.urn);
  refuse([], unmetPreconditions(preconditions, urn.entityType.keyAspect, current));
  let draft = current;
  for (const patch of patches) {
    if (isLeftOut(preconditions, patch.aspect, current)) continue;
    draft =
      patch.aspect === 'structuredProperties'
        ? await patchAssignments(parts, urn, surroundings.owner, patch.patch, draft, context)
        : await write(patchedWrite(parts, surroundings, patch, draft), draft);
  }
  return draftOf(draft);
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
      throw invalid([violation(`arrayPrimaryKeys.${name}`, 'one key field is supported for this aspect')]);
    }
    keys[name] = field;
  }
  return keys;
}
