export const STRUCTURED_PROPERTY_SCHEMA = `
extend type Query {
  "Null when it does not exist; a soft-deleted one is there."
  structuredProperty(urn: String!): StructuredPropertyEntity
}

type Mutation {
  createStructuredProperty(input: CreateStructuredPropertyInput!): StructuredPropertyEntity!
  "Widens a definition: what is not given stays."
  updateStructuredProperty(input: UpdateStructuredPropertyInput!): StructuredPropertyEntity!
  "Hard-deletes it. True also when there was none."
  deleteStructuredProperty(input: DeleteStructuredPropertyInput!): Boolean!
  "Puts the values of the given properties on an entity; its other properties stay."
  upsertStructuredProperties(input: UpsertStructuredPropertiesInput!): StructuredProperties!
  "Takes properties from an entity; those that it does not have are no error."
  removeStructuredProperties(input: RemoveStructuredPropertiesInput!): StructuredProperties!
}

"The visible values of structured properties of an entity, in their order."
type StructuredProperties { properties: [StructuredPropertiesEntry!] }

type StructuredPropertiesEntry {
  structuredProperty: StructuredPropertyEntity!
  values: [PropertyValue]!
  "The entities that values name by their URN, those that exist."
  valueEntities: [Entity]
  "The entity that has the values."
  associatedUrn: String!
  created: ResolvedAuditStamp
  lastModified: ResolvedAuditStamp
}

union PropertyValue = StringValue | NumberValue
type StringValue { stringValue: String! }
type NumberValue { numberValue: Float! }

type StructuredPropertyDefinition {
  qualifiedName: String!
  displayName: String
  description: String
  cardinality: PropertyCardinality
  "Null: any value."
  allowedValues: [AllowedValue!]
  valueType: DataTypeEntity!
  typeQualifier: TypeQualifier
  entityTypes: [EntityTypeEntity!]!
  allowedPlatforms: [DataPlatform!]
  immutable: Boolean!
  "14 digits; an extension."
  version: String
  created: ResolvedAuditStamp
  lastModified: ResolvedAuditStamp
  filterStatus: StructuredPropertyFilterStatus! @deprecated(reason: "use settings.showInSearchFilters")
}

type AllowedValue { value: PropertyValue! description: String }
type TypeQualifier { allowedTypes: [EntityTypeEntity!] }
enum PropertyCardinality { SINGLE MULTIPLE }
enum StructuredPropertyFilterStatus { ENABLED DISABLED }

type StructuredPropertySettings {
  isHidden: Boolean!
  showInSearchFilters: Boolean!
  showInAssetSummary: Boolean!
  hideInAssetSummaryWhenEmpty: Boolean!
  showAsAssetBadge: Boolean!
  showInColumnsTable: Boolean!
}

enum StdDataType { STRING NUMBER URN RICH_TEXT DATE OTHER }
type DataTypeInfo { type: StdDataType! qualifiedName: String! displayName: String description: String }
type EntityTypeInfo { type: EntityType qualifiedName: String! displayName: String description: String }

input CreateStructuredPropertyInput {
  "Like qualifiedName; when neither is given, a random one is made."
  id: String
  qualifiedName: String
  displayName: String
  description: String
  immutable: Boolean
  "URN, such as urn:li:dataType:<ns>.number, or the short name."
  valueType: String!
  typeQualifier: TypeQualifierInput
  allowedValues: [AllowedValueInput!]
  cardinality: PropertyCardinality
  entityTypes: [String!]!
  "14 digits; an extension."
  version: String
  settings: StructuredPropertySettingsInput
  filterStatus: StructuredPropertyFilterStatus @deprecated(reason: "use settings.showInSearchFilters")
}

input UpdateStructuredPropertyInput {
  urn: String!
  displayName: String
  description: String
  immutable: Boolean
  typeQualifier: UpdateTypeQualifierInput
  newAllowedValues: [AllowedValueInput!]
  "The whole list; not together with newAllowedValues. Taking a value away needs a greater version."
  allowedValues: [AllowedValueInput!]
  setCardinalityAsMultiple: Boolean
  newEntityTypes: [String!]
  newAllowedPlatforms: [String!]
  "14 digits; an extension. A greater one permits a breaking change."
  version: String
  settings: StructuredPropertySettingsInput
  filterStatus: StructuredPropertyFilterStatus @deprecated(reason: "use settings.showInSearchFilters")
}

input DeleteStructuredPropertyInput { urn: String! }
input TypeQualifierInput { allowedTypes: [String!] }
input UpdateTypeQualifierInput { newAllowedTypes: [String!] }

"Exactly one of stringValue and numberValue."
input AllowedValueInput { stringValue: String numberValue: Float description: String }

input StructuredPropertySettingsInput {
  isHidden: Boolean
  showInSearchFilters: Boolean
  showInAssetSummary: Boolean
  hideInAssetSummaryWhenEmpty: Boolean
  showAsAssetBadge: Boolean
  showInColumnsTable: Boolean
}

input UpsertStructuredPropertiesInput {
  assetUrn: String!
  structuredPropertyInputParams: [StructuredPropertyInputParams!]!
}

input StructuredPropertyInputParams {
  structuredPropertyUrn: String!
  values: [PropertyValueInput!]!
}

"Exactly one of stringValue and numberValue."
input PropertyValueInput { stringValue: String numberValue: Float }

input RemoveStructuredPropertiesInput {
  assetUrn: String!
  structuredPropertyUrns: [String!]!
}
`;
