import type { Assignment, StructuredProperties } from '../../model/assignment.ts';
import type { Definition } from '../../model/definition.ts';
import { enumNameOf, findEntityType } from '../../model/entity-type.ts';
import type { TypedValue } from '../../model/typed-value.ts';
import { VALUE_TYPES } from '../../model/value-type.ts';
import type { GraphqlContext } from './context.ts';
import { type EntityRef, tryRefOf } from './entity-kinds.ts';

/** Values of structured properties, and definitions, as GraphQL shows them. */

export async function structuredPropertiesOf({ parsed }: EntityRef, _args: unknown, { entities }: GraphqlContext) {
  const value = (await entities.load(parsed.urn))?.aspects.structuredProperties?.value;
  return value && structuredPropertiesBody(parsed.urn, value as StructuredProperties);
}

export function structuredPropertiesBody(urn: string, { properties }: StructuredProperties) {
  return { properties: properties.map((assignment) => entry(urn, assignment)) };
}

function entry(urn: string, { propertyUrn, values, created, lastModified }: Assignment) {
  return {
    structuredProperty: tryRefOf(propertyUrn),
    values: values.map(valueBody),
    valueEntities: (_args: unknown, context: GraphqlContext) => namedEntities(values, context),
    associatedUrn: urn,
    created: stamp(created),
    lastModified: stamp(lastModified),
  };
}

function valueBody(value: TypedValue) {
  return 'double' in value
    ? { __typename: 'NumberValue', numberValue: value.double }
    : { __typename: 'StringValue', stringValue: value.string };
}

async function namedEntities(values: readonly TypedValue[], { entities }: GraphqlContext): Promise<EntityRef[]> {
  const refs = values.map((value) => ('string' in value ? tryRefOf(value.string) : undefined));
  const named = refs.filter((ref) => ref !== undefined);
  const found = await Promise.all(named.map(({ parsed }) => entities.load(parsed.urn)));
  return named.filter((_ref, index) => found[index] !== undefined);
}

function stamp(value: Assignment['created']) {
  return value && { time: value.time, actor: refOfType('corpuser', value.actor) };
}

function refOfType(entityType: string, text: string): EntityRef | undefined {
  const ref = tryRefOf(text);
  return ref?.parsed.entityType.name === entityType ? ref : undefined;
}

const SETTINGS = [
  'isHidden',
  'showInSearchFilters',
  'showInAssetSummary',
  'hideInAssetSummaryWhenEmpty',
  'showAsAssetBadge',
  'showInColumnsTable',
] as const;

async function definitionOf({ parsed }: EntityRef, _args: unknown, { entities }: GraphqlContext) {
  const aspects = (await entities.load(parsed.urn))?.aspects;
  const definition = aspects?.propertyDefinition?.value as Definition | undefined;
  if (definition === undefined) return undefined;
  const shown = aspects?.structuredPropertySettings?.value.showInSearchFilters === true;
  return {
    ...definition,
    cardinality: definition.cardinality ?? 'SINGLE',
    immutable: definition.immutable ?? false,
    allowedValues: definition.allowedValues?.map(({ value, description }) => ({
      value: valueBody(value),
      description,
    })),
    valueType: tryRefOf(definition.valueType),
    typeQualifier: definition.typeQualifier && {
      allowedTypes: definition.typeQualifier.allowedTypes?.map(tryRefOf),
    },
    entityTypes: definition.entityTypes.map(tryRefOf),
    allowedPlatforms: definition.allowedPlatforms
      ?.map((platform) => refOfType('dataPlatform', platform))
      .filter((ref) => ref !== undefined),
    created: stamp(definition.created),
    lastModified: stamp(definition.lastModified),
    filterStatus: shown ? 'ENABLED' : 'DISABLED',
  };
}

async function settingsOf({ parsed }: EntityRef, _args: unknown, { entities }: GraphqlContext) {
  const value = (await entities.load(parsed.urn))?.aspects.structuredPropertySettings?.value;
  return value && Object.fromEntries(SETTINGS.map((name) => [name, value[name] === true]));
}

/** The last word of `urn:li:dataType:<ns>.number` and its like. */
function lastWord({ parsed }: EntityRef): string {
  return parsed.id.slice(parsed.id.lastIndexOf('.') + 1);
}

export const structuredPropertyResolvers = {
  StructuredPropertyEntity: { definition: definitionOf, settings: settingsOf },
  DataTypeEntity: {
    info: (ref: EntityRef) => ({
      type: (VALUE_TYPES.find((name) => name === lastWord(ref)) ?? 'other').toUpperCase(),
      qualifiedName: ref.parsed.id,
      displayName: lastWord(ref),
    }),
  },
  EntityTypeEntity: {
    info: (ref: EntityRef) => {
      const type = findEntityType(lastWord(ref));
      return {
        type: type && enumNameOf(type.name),
        qualifiedName: ref.parsed.id,
        displayName: lastWord(ref),
      };
    },
  },
};
