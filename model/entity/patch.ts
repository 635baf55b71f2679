import { applyPatch, type Patch, type PatchOperation, pointerTokens } from '../patch.ts';
import type { ArrayKeys } from '../patch-nodes.ts';
import { sameJson } from '../same-json.ts';
import { accepted, type Checked, refused } from '../shape.ts';
import type { ParsedUrn } from '../urn.ts';
import { addViolations, type Violation, violation } from '../violation.ts';
import type { OwnerMark } from '../wire/owner-mark.ts';
import {
  became,
  type Change,
  type Decision,
  type DecisionContext,
  missingEntity,
  type Refusal,
  refusal,
  refusalOf,
} from './change.ts';
import { definitionEffects } from './definitions.ts';
import { draftOf, type EntityDraft } from './draft.ts';
import { parseAspects } from './parse-aspects.ts';
import { namedInPatch, type Patched, patchAssignments } from './patch-assignments.ts';
import { isLeftOut, type Precondition, unmetPreconditions } from './preconditions.ts';
import { decideWrite, missingTarget, unmakeable, type WriteCondition } from './write.ts';

/** Keys of arrays where the patch names none: those of the reference catalogue's templates. */
const DEFAULT_KEYS: Readonly<Record<string, ArrayKeys>> = {
  propertyDefinition: { entityTypes: '' },
  globalTags: { tags: 'tag' },
  glossaryTerms: { terms: 'urn' },
  upstreamLineage: { upstreams: 'dataset' },
};

/** A patch of one entity whose operations can be read; whether they apply depends on what there is. */
export interface EntityPatch {
  readonly urn: ParsedUrn;
  /** In the order in which they are applied. */
  readonly patches: readonly AspectPatch[];
  readonly owner?: OwnerMark;
  readonly condition: WriteCondition;
}

export interface AspectPatch {
  /** Canonical name. */
  readonly aspect: string;
  readonly patch: Patch;
  readonly precondition?: Precondition;
}

/** The change that a patch is. */
export function patching(patch: EntityPatch): Change {
  return {
    urn: patch.urn,
    *involvedProperties(current) {
      for (const { propertyUrn } of current?.assignments ?? []) yield propertyUrn;
      for (const each of assignmentPatches(patch)) yield* namedInPatch(each);
    },
    decide: (current, context) => decidePatch(patch, current, context),
  };
}

/** The patches of the assignments among those of an entity. */
export function assignmentPatches({ patches }: EntityPatch): Patch[] {
  return patches.filter(({ aspect }) => aspect === 'structuredProperties').map(({ patch }) => patch);
}

/** Aspect by aspect: each is written as if its patched document had been sent whole. */
function* decidePatch(
  entity: EntityPatch,
  current: EntityDraft | undefined,
  context: DecisionContext,
): Generator<void, Decision> {
  const { urn, patches } = entity;
  const target = missingTarget(entity, current, context);
  if (target !== undefined) return missingEntity(target);
  const preconditions = patches.map(({ aspect, precondition }) => [aspect, precondition] as const);
  const unmet = refusalOf(
    unmakeable(entity, current),
    unmetPreconditions(preconditions, urn.entityType.keyAspect, current),
  );
  if (unmet !== undefined) return unmet;
  let draft = current;
  const warnings: Violation[] = [];
  for (const patch of patches) {
    if (isLeftOut([patch.aspect, patch.precondition], current)) continue;
    // One request may have thousands of them.
    yield;
    const patched = patchOne(entity, patch, draft, context);
    if ('kind' in patched) return patched;
    draft = patched.draft;
    addViolations(warnings, patched.warnings);
  }
  const defines = patches.some(({ aspect }) => aspect === 'propertyDefinition');
  const next = draftOf(draft);
  return became(current, next, { warnings, effects: definitionEffects(current, next, defines) });
}

function patchOne(
  { urn, owner, condition }: EntityPatch,
  { aspect, patch }: AspectPatch,
  draft: EntityDraft | undefined,
  context: DecisionContext,
): Omit<Patched, 'violations'> | Refusal {
  if (aspect === 'structuredProperties') {
    const patched = patchAssignments(urn, owner, patch, draftOf(draft), context);
    return refusalOf(patched.violations) ?? patched;
  }
  const document = patchDocument(draft?.aspects[aspect]?.value ?? {}, aspect, patch);
  if (!document.ok) return refusal('invalid', document.violations);
  const parsed = parseAspects(context.settings, urn, { [aspect]: document.value });
  if (!parsed.ok) return refusal('invalid', parsed.violations);
  const write = { urn, ...parsed.value, condition, ...(owner === undefined ? {} : { owner }) };
  const decision = decideWrite(write, draft, context);
  if (decision.kind === 'refusal') return decision;
  const next = decision.kind === 'next' ? decision.draft : draft;
  return { draft: draftOf(next), warnings: decision.warnings };
}

function patchDocument(
  document: Readonly<Record<string, unknown>>,
  aspect: string,
  patch: Patch,
): Checked<Record<string, unknown>> {
  const keys = readArrayKeys(patch);
  if (!keys.ok) return keys;
  const operations = patch.patch.map((operation) => ({ ...operation, tokens: pointerTokens(operation.path) }));
  return applyPatch(document, operations, { ...DEFAULT_KEYS[aspect], ...keys.value });
}

function readArrayKeys({ arrayPrimaryKeys = {} }: Patch): Checked<ArrayKeys> {
  const keys = Object.entries(arrayPrimaryKeys);
  const [tooMany] = keys.find(([, fields]) => fields.length > 1) ?? [];
  if (tooMany === undefined) return accepted(Object.fromEntries(keys.map(([name, [field = '']]) => [name, field])));
  return refused(
    violation('invalid-patch', `arrayPrimaryKeys.${tooMany}`, 'one key field is supported for this aspect'),
  );
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
    if (before !== undefined && areOne(before.last, next)) {
      for (const operation of next.patch.patch) before.operations.push(operation);
    } else joined.push({ last: next, operations: [...next.patch.patch] });
  }
  return joined.map(({ last, operations }) => ({ ...last, patch: { ...last.patch, patch: operations } }));
}

function areOne(one: AspectPatch, other: AspectPatch): boolean {
  return (
    one.aspect === other.aspect &&
    one.precondition === undefined &&
    other.precondition === undefined &&
    sameJson(one.patch.arrayPrimaryKeys ?? {}, other.patch.arrayPrimaryKeys ?? {})
  );
}
