import { ENTITY_TYPES, enumNameOf } from '../../../model/entity-type.ts';
import { type EntityKind, kindOf } from '../entity-kinds.ts';

/** Entities of all types: one object type each, made from the table of kinds. */
export function entitySchema(): string {
  const types = ENTITY_TYPES.map((type) => {
    const { typeName, fields, properties } = kindOf(type);
    const holds = type.holdsProperties ? 'structuredProperties: StructuredProperties' : '';
    const described = properties === undefined ? '' : `properties: ${properties.typeName}`;
    return `
"Entity type \`${type.name}\`."
type ${typeName} implements Entity {
  urn: String!
  type: EntityType!
  "Whether there is such an entity, soft deleted or not."
  exists: Boolean
  status: Status
  ${described}
  ${holds}
  ${fields}
}
${properties === undefined ? '' : propertiesType(properties)}`;
  });
  return `
enum EntityType { ${ENTITY_TYPES.map(({ name }) => enumNameOf(name)).join(' ')} }

"Anything that has a URN. What is only named, and does not exist, has its URN and what that says."
interface Entity {
  urn: String!
  type: EntityType!
}
${types.join('')}
${SHARED}`;
}

function propertiesType({ aspect, typeName, fields = '' }: NonNullable<EntityKind['properties']>): string {
  return `
"Aspect \`${aspect}\`."
type ${typeName} {
  "What the aspect says, or else the URN."
  name: String!
  description: String
  qualifiedName: String
  externalUrl: String
  customProperties: [CustomPropertiesEntry!]
  ${fields}
}`;
}

const SHARED = `
"A whole number of milliseconds since 1970-01-01T00:00:00Z."
scalar Long

type Query {
  "Null when it does not exist."
  entity(urn: String!): Entity
  "In the order of the URNs; null for what does not exist."
  entities(urns: [String!]!): [Entity]
  dataset(urn: String!): Dataset
  dataFlow(urn: String!): DataFlow
  dataJob(urn: String!): DataJob
}

type Status { removed: Boolean! }

type SubTypes { typeNames: [String!] }

type CustomPropertiesEntry { key: String! value: String }

type DatasetEditableProperties { name: String description: String }

type SchemaMetadata {
  name: String!
  version: Long
  fields: [SchemaField!]!
}

type SchemaField {
  fieldPath: String!
  description: String
  nativeDataType: String
  nullable: Boolean!
  "The field as an entity, on which properties can be put."
  schemaFieldEntity: SchemaFieldEntity
}

type ResolvedAuditStamp { time: Long! actor: CorpUser }
`;
