import { randomUUID } from 'node:crypto';
import type { Assignment, StructuredProperties } from '../../model/assignment.ts';
import { escapeToken, parsePatch } from '../../model/patch.ts';
import { type ParsedUrn, parseUrn, structuredPropertyUrn } from '../../model/urn.ts';
import { CatalogError, invalid, missing, refusedBy } from '../catalog/errors.ts';
import { readEntity, viewEntities } from '../catalog/read/read-entities.ts';
import { deleteEntity } from '../catalog/write/delete-entity.ts';
import type { EntityPatch } from '../catalog/write/patch-entity.ts';
import { rewriteEntity } from '../catalog/write/rewrite-entity.ts';
import { patchEntities } from '../catalog/write/write-entities.ts';
import { refuseWhileImporting } from '../transfer/import-session.ts';
import type { GraphqlContext } from './context.ts';
import {
  type CreateInput,
  newDefinition,
  typedValue,
  type UpdateInput,
  type ValueInput,
  widenedDefinition,
} from './definition-input.ts';
import { refOf } from './entity-ref.ts';
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
      await rewriteEntity(
        context.parts,
        urn,
        (current) => {
          if (current !== undefined) {
            throw refusedBy('already-exists', `A structured property already exists with this urn: ${urn.urn}`);
          }
          return newDefinition(input, urn.id, stampOf(context));
        },
        context.owner,
        context.caller,
      );
      return refOf(urn);
    }),

    updateStructuredProperty: mutation(async (input: UpdateInput, context) => {
      const urn = propertyUrn(input.urn);
      const widen = widenedDefinition.bind(undefined, input);
      await rewriteEntity(
        context.parts,
        urn,
        (current) => widen(current, stampOf(context)),
        context.owner,
        context.caller,
      );
      return refOf(urn);
    }),

    deleteStructuredProperty: mutation(async ({ urn }: { urn: string }, context) => {
      await deleteEntity(context.parts, propertyUrn(urn), context.caller);
      return true;
    }),

    upsertStructuredProperties: mutation(async (input: UpsertInput, context) => {
      const asset = parseUrn(input.assetUrn);
      const before = await assignmentsBefore(asset, context);
      const stamp = stampOf(context);
      const operations = input.structuredPropertyInputParams.map(
        ({ structuredPropertyUrn: property, values }, index) => ({
          op: 'add',
          path: pathOf(property),
          value: {
            propertyUrn: property,
            values: values.map((value, at) =>
              typedValue(value, `structuredPropertyInputParams[${index}].values[${at}]`),
            ),
            created: before.get(property)?.created ?? stamp,
            lastModified: stamp,
          },
        }),
      );
      return patched(asset, operations, context);
    }),

    removeStructuredProperties: mutation(async ({ assetUrn, structuredPropertyUrns }: RemoveInput, context) => {
      const operations = structuredPropertyUrns.map((property) => ({ op: 'remove', path: pathOf(property) }));
      return patched(parseUrn(assetUrn), operations, context);
    }),
  },
};

async function patched(asset: ParsedUrn, operations: readonly object[], { parts, owner, caller }: GraphqlContext) {
  const patch = parsePatch({ patch: operations, arrayPrimaryKeys: { properties: ['propertyUrn'] } });
  if (!patch.ok) throw invalid(patch.violations);
  const change: EntityPatch = {
    urn: asset,
    patches: [{ aspect: 'structuredProperties', patch: patch.value }],
    // A schema field is made by its first write.
    condition: asset.entityType.name === 'schemaField' ? 'upsert' : 'update',
    ...(owner === undefined ? {} : { owner }),
  };
  const documents = await patchEntities(parts, [change], caller);
  const [view] = await viewEntities(parts, documents, new Set(['structuredProperties']));
  const value = view?.aspects.structuredProperties?.value ?? { properties: [] };
  return structuredPropertiesBody(asset.urn, value as StructuredProperties);
}

async function assignmentsBefore(asset: ParsedUrn, { parts }: GraphqlContext): Promise<Map<string, Assignment>> {
  const view = await readEntity(parts, asset, new Set(['structuredProperties']));
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

function pathOf(property: string): string {
  return `/properties/${escapeToken(property)}`;
}

function stampOf({ parts, caller }: GraphqlContext) {
  return { time: parts.now(), actor: caller.actor };
}
