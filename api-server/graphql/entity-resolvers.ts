import { ENTITY_TYPES, enumNameOf } from '../../model/entity-type.ts';
import { listOf } from '../../model/list-of.ts';
import { keyAspectOf, parseUrn } from '../../model/urn.ts';
import { CatalogError } from '../catalog/errors.ts';
import { demandToRead } from '../use-cases/entities.ts';
import type { GraphqlContext } from './context.ts';
import { type EntityRef, kindOf, refOf, tryRefOf } from './entity-kinds.ts';
import { structuredPropertiesOf } from './structured-properties.ts';

type Resolver = (ref: EntityRef, args: unknown, context: GraphqlContext) => unknown;

/** The value of an aspect; `undefined` when the entity does not have it, or does not exist. */
export async function aspect(
  { parsed }: EntityRef,
  name: string,
  { entities }: GraphqlContext,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  return (await entities.load(parsed.urn))?.aspects[name]?.value;
}

function key(field: string): Resolver {
  return ({ parsed }) => keyAspectOf(parsed)[field];
}

function named(field: string): Resolver {
  return ({ parsed }) => tryRefOf(keyAspectOf(parsed)[field]);
}

const subTypes: Resolver = async (ref, _args, context) => {
  const value = await aspect(ref, 'subTypes', context);
  return value && { typeNames: listOf(value.typeNames).filter((name) => typeof name === 'string') };
};

/** Fields of single types, beside those that all or many have. */
const OWN_FIELDS: Readonly<Record<string, Readonly<Record<string, Resolver>>>> = {
  dataset: {
    name: key('name'),
    platform: named('platform'),
    origin: key('origin'),
    subTypes,
    editableProperties: async (ref, _args, context) => {
      const value = await aspect(ref, 'editableDatasetProperties', context);
      return value && { name: text(value.name), description: text(value.description) };
    },
    schemaMetadata: async (ref, _args, context) => {
      const value = await aspect(ref, 'schemaMetadata', context);
      return (
        value && {
          name: text(value.schemaName) ?? '',
          version: typeof value.version === 'number' ? value.version : undefined,
          fields: listOf(value.fields).flatMap((field) => schemaField(ref, field)),
        }
      );
    },
  },
  dataFlow: {
    orchestrator: key('orchestrator'),
    flowId: key('flowId'),
    cluster: key('cluster'),
    // A part of a URN may end with blanks, a URN may not.
    platform: ({ parsed }) => tryRefOf(`urn:li:dataPlatform:${parsed.key[0]}`.trim()),
    subTypes,
  },
  dataJob: { jobId: key('jobId'), dataFlow: named('flow'), subTypes },
  schemaField: { fieldPath: key('fieldPath'), parent: named('parent') },
  chart: { tool: key('dashboardTool'), chartId: key('chartId'), subTypes },
  dashboard: { tool: key('dashboardTool'), dashboardId: key('dashboardId'), subTypes },
  container: { subTypes },
  domain: { id: key('id') },
  glossaryTerm: { name: key('name') },
  tag: { name: key('name') },
  corpuser: { username: key('username') },
  corpGroup: { name: key('name') },
  dataPlatform: {
    name: key('platformName'),
    displayName: async (ref, _args, context) => text((await aspect(ref, 'dataPlatformInfo', context))?.displayName),
  },
};

function schemaField({ parsed }: EntityRef, value: unknown): object[] {
  const field = object(value);
  const fieldPath = text(field?.fieldPath);
  if (field === undefined || fieldPath === undefined) return [];
  return [
    {
      fieldPath,
      description: text(field.description),
      nativeDataType: text(field.nativeDataType),
      nullable: field.nullable === true,
      schemaFieldEntity: tryRefOf(`urn:li:schemaField:(${parsed.urn},${fieldPath})`),
    },
  ];
}

/** The fields `properties` of all types are one: what aspects say under different names. */
function propertiesOf(aspectName: string): Resolver {
  return async (ref, _args, context) => {
    const value = await aspect(ref, aspectName, context);
    if (value === undefined) return undefined;
    const texts = Object.entries(value).filter(([, one]) => typeof one === 'string');
    const fallback = keyAspectOf(ref.parsed).name ?? ref.parsed.key.at(-1);
    return {
      ...Object.fromEntries(texts),
      name: text(value.name, value.title, value.displayName) ?? fallback,
      description: text(value.description, value.definition),
      customProperties: entries(value.customProperties),
    };
  };
}

/** Resolvers of each entity type's GraphQL type. */
function typeResolvers(): Record<string, Record<string, Resolver>> {
  return Object.fromEntries(
    ENTITY_TYPES.map((type) => {
      const { typeName, properties } = kindOf(type);
      const fields: Record<string, Resolver> = {
        urn: ({ parsed }) => parsed.urn,
        type: ({ parsed }) => enumNameOf(parsed.entityType.name),
        exists: async ({ parsed }, _args, { entities }) => (await entities.load(parsed.urn)) !== undefined,
        status: async (ref, _args, context) => {
          const value = await aspect(ref, 'status', context);
          return value && { removed: value.removed === true };
        },
        ...(properties === undefined ? {} : { properties: propertiesOf(properties.aspect) }),
        ...(type.holdsProperties ? { structuredProperties: structuredPropertiesOf } : {}),
        ...OWN_FIELDS[type.name],
      };
      return [typeName, fields];
    }),
  );
}

/** A field of the query that reads one entity, of one type or of any. */
export function readOne(entityType?: string) {
  return async (_root: unknown, { urn }: { urn: string }, { entities, caller }: GraphqlContext) => {
    const parsed = parseUrn(urn);
    if (entityType !== undefined && parsed.entityType.name !== entityType) {
      throw new CatalogError('malformed', `${urn} is a ${parsed.entityType.name}, not a ${entityType}`);
    }
    await demandToRead(caller, parsed);
    return (await entities.load(parsed.urn)) === undefined ? undefined : refOf(parsed);
  };
}

export const entityResolvers = {
  Query: {
    entity: readOne(),
    entities: (_root: unknown, { urns }: { urns: readonly string[] }, context: GraphqlContext) =>
      urns.map((urn) => readOne()(_root, { urn }, context)),
    dataset: readOne('dataset'),
    dataFlow: readOne('dataFlow'),
    dataJob: readOne('dataJob'),
  },
  ...typeResolvers(),
};

/** Opaque aspects are stored as they are sent, so what a field finds in one may be anything. */
type Json = Readonly<Record<string, unknown>>;

/** The first of the values that is a text. */
function text(...values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string');
}

function object(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

/** A map of texts as a list of entries. */
function entries(value: unknown): { key: string; value: string | undefined }[] {
  return Object.entries(object(value) ?? {}).map(([key, one]) => ({ key, value: text(one) }));
}
