import { randomUUID } from 'node:crypto';
import type { Assignment, StructuredProperties } from '../../model/assignment.ts';
import type { EntityPatch } from '../../model/entity/patch.ts';
import { type AssignmentChange, assignmentPatch } from '../../model/entity/patch-assignments.ts';
import type { rewriting } from '../../model/entity/rewrite.ts';
import { conditionOfValues } from '../../model/entity/write.ts';
import { accepted, refused } from '../../model/shape.ts';
import { type ParsedUrn, parseUrn, structuredPropertyUrn } from '../../model/urn.ts';
import { violation } from '../../model/violation.ts';
import { CatalogError, missing } from '../catalog/errors.ts';
import { viewEntities } from '../catalog/read/read-entities.ts';
import { refuseWhileImporting } from '../transfer/import-session.ts';
import { deleteEntity, patchEntities, readValuesToChange, rewriteProperty } from '../use-cases/entities.ts';
import type { GraphqlContext } from './context.ts';
import {
  type CreateInput,
  newDefinition,
  typedValue,
  type UpdateInput,
  type ValueInput,
  widenedDefinition,
} from './definition-input.ts';
import { refOf } from './entity-kinds.ts';
import { structuredPropertiesBody } from './structured-properties.ts';

interface UpsertInput {
  readonly assetUrn: string;
  readonly structuredPropertyInputParams: readonly {
    readonly structuredPropertyUrn: string;
    readonly values: readonly ValueInput[];
  }[];
}

interface RemoveInput {
  readonly assetUrn: string;
  readonly structuredPropertyUrns: readonly string[];
}

/** A resolver of a mutation with one argument `input`. Whatever was read before is forgotten. */
function mutation<Input, Result>(work: (input: Input, context: GraphqlContext) => Promise<Result>) {
  return async (_root: unknown, { input }: { input: Input }, context: GraphqlContext): Promise<Result> => {
    await refuseWhileImporting(context.parts);
    try {
      return await work(input, context);
    } finally {
      context.entities.forget();
    }
  };
}

export const mutationResolvers = {
  Mutation: {
    createStructuredProperty: mutation(async (input: CreateInput, context) => {
      const urn = parseUrn(structuredPropertyUrn(nameOf(input)));
      const exists = violation('already-exists', '', `A structured property already exists with this urn: ${urn.urn}`);
      const aspects = newDefinition(input, urn.id, stampOf(context));
      return rewritten(urn, (current) => (current === undefined ? accepted(aspects) : refused(exists)), context);
    }),

    updateStructuredProperty: mutation(async (input: UpdateInput, context) => {
      const urn = propertyUrn(input.urn);
      return rewritten(urn, (current) => widenedDefinition(input, current, stampOf(context)), context);
    }),

    deleteStructuredProperty: mutation(async ({ urn }: { urn: string }, context) => {
      await deleteEntity(context.caller, propertyUrn(urn));
      return true;
    }),

    upsertStructuredProperties: mutation(async (input: UpsertInput, context) => {
      const asset = parseUrn(input.assetUrn);
      const before = await assignmentsBefore(asset, context);
      const stamp = stampOf(context);
      const changes = input.structuredPropertyInputParams.map(
        ({ structuredPropertyUrn: propertyUrn, values }, index): AssignmentChange => ({
          op: 'add',
          propertyUrn,
          values: values.map((value, at) => typedValue(value, `structuredPropertyInputParams[${index}].values[${at}]`)),
          created: before.get(propertyUrn)?.created ?? stamp,
          lastModified: stamp,
        }),
      );
      return patched(asset, changes, context);
    }),

    removeStructuredProperties: mutation(async ({ assetUrn, structuredPropertyUrns }: RemoveInput, context) => {
      const changes = structuredPropertyUrns.map((propertyUrn) => ({ op: 'remove' as const, propertyUrn }));
      return patched(parseUrn(assetUrn), changes, context);
    }),
  },
};

async function rewritten(urn: ParsedUrn, aspects: Parameters<typeof rewriting>[1], { owner, caller }: GraphqlContext) {
  await rewriteProperty(caller, urn, aspects, owner);
  return refOf(urn);
}

async function patched(asset: ParsedUrn, changes: readonly AssignmentChange[], context: GraphqlContext) {
  const { owner, caller } = context;
  const change: EntityPatch = {
    urn: asset,
    patches: [{ aspect: 'structuredProperties', patch: assignmentPatch(changes) }],
    condition: conditionOfValues(asset, false),
    ...(owner === undefined ? {} : { owner }),
  };
  const documents = await patchEntities(caller, [change]);
  context.entities.forget();
  const [view] = await viewEntities(caller, documents, new Set(['structuredProperties']));
  const value = view?.aspects.structuredProperties?.value ?? { properties: [] };
  return structuredPropertiesBody(asset.urn, value as StructuredProperties);
}

async function assignmentsBefore(asset: ParsedUrn, { caller }: GraphqlContext): Promise<Map<string, Assignment>> {
  const view = await readValuesToChange(caller, asset);
  if (view === undefined && asset.entityType.name !== 'schemaField') throw missing(asset.urn);
  const value = view?.aspects.structuredProperties?.value as StructuredProperties | undefined;
  return new Map((value?.properties ?? []).map((assignment) => [assignment.propertyUrn, assignment]));
}

function nameOf({ id, qualifiedName }: CreateInput): string {
  if (id != null && qualifiedName != null && id !== qualifiedName) {
    throw new CatalogError('malformed', `id ${id} and qualifiedName ${qualifiedName} have to be the same`);
  }
  return id ?? qualifiedName ?? randomUUID();
}

function propertyUrn(text: string): ParsedUrn {
  const urn = parseUrn(text);
  if (urn.entityType.name === 'structuredProperty') return urn;
  throw new CatalogError('malformed', `${text} is a ${urn.entityType.name}, not a structuredProperty`);
}

function stampOf({ parts, caller }: GraphqlContext) {
  return { time: parts.now(), actor: caller.actor };
}
