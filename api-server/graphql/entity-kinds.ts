import type { EntityTypeInfo } from '../../model/entity-type.ts';
import { type ParsedUrn, tryParseUrn } from '../../model/urn.ts';

/** How an entity type looks in GraphQL. Names are those of the reference catalogue, so that its clients find them. */
export interface EntityKind {
  readonly typeName: string;
  /** The aspect behind the field `properties`, and the name under which the type of that field goes. */
  readonly properties?: { readonly aspect: string; readonly typeName: string; readonly fields?: string };
  /** Fields beside those that all entities have, in schema language. */
  readonly fields: string;
}

const ASSET = 'subTypes: SubTypes';

/** By canonical name of the entity type. */
export const ENTITY_KINDS: Readonly<Record<string, EntityKind>> = {
  dataset: {
    typeName: 'Dataset',
    properties: { aspect: 'datasetProperties', typeName: 'DatasetProperties' },
    fields: `name: String! platform: DataPlatform! origin: String! editableProperties: DatasetEditableProperties
      schemaMetadata: SchemaMetadata ${ASSET}`,
  },
  dataFlow: {
    typeName: 'DataFlow',
    properties: { aspect: 'dataFlowInfo', typeName: 'DataFlowProperties' },
    fields: `orchestrator: String! flowId: String! cluster: String! platform: DataPlatform! ${ASSET}`,
  },
  dataJob: {
    typeName: 'DataJob',
    properties: { aspect: 'dataJobInfo', typeName: 'DataJobProperties' },
    fields: `jobId: String! dataFlow: DataFlow ${ASSET}`,
  },
  schemaField: { typeName: 'SchemaFieldEntity', fields: 'fieldPath: String! parent: Entity!' },
  chart: {
    typeName: 'Chart',
    properties: { aspect: 'chartInfo', typeName: 'ChartProperties' },
    fields: `tool: String! chartId: String! ${ASSET}`,
  },
  dashboard: {
    typeName: 'Dashboard',
    properties: { aspect: 'dashboardInfo', typeName: 'DashboardProperties' },
    fields: `tool: String! dashboardId: String! ${ASSET}`,
  },
  container: {
    typeName: 'Container',
    properties: { aspect: 'containerProperties', typeName: 'ContainerProperties' },
    fields: ASSET,
  },
  dataProduct: {
    typeName: 'DataProduct',
    properties: { aspect: 'dataProductProperties', typeName: 'DataProductProperties' },
    fields: '',
  },
  domain: {
    typeName: 'Domain',
    properties: { aspect: 'domainProperties', typeName: 'DomainProperties' },
    fields: 'id: String!',
  },
  glossaryTerm: {
    typeName: 'GlossaryTerm',
    properties: { aspect: 'glossaryTermInfo', typeName: 'GlossaryTermProperties' },
    fields: 'name: String!',
  },
  glossaryNode: {
    typeName: 'GlossaryNode',
    properties: { aspect: 'glossaryNodeInfo', typeName: 'GlossaryNodeProperties' },
    fields: '',
  },
  tag: {
    typeName: 'Tag',
    properties: { aspect: 'tagProperties', typeName: 'TagProperties', fields: 'colorHex: String' },
    fields: 'name: String!',
  },
  corpuser: {
    typeName: 'CorpUser',
    properties: {
      aspect: 'corpUserInfo',
      typeName: 'CorpUserProperties',
      fields: 'displayName: String email: String title: String fullName: String firstName: String lastName: String',
    },
    fields: 'username: String!',
  },
  corpGroup: {
    typeName: 'CorpGroup',
    properties: {
      aspect: 'corpGroupInfo',
      typeName: 'CorpGroupProperties',
      fields: 'displayName: String email: String',
    },
    fields: 'name: String!',
  },
  dataPlatform: {
    typeName: 'DataPlatform',
    properties: {
      aspect: 'dataPlatformInfo',
      typeName: 'DataPlatformProperties',
      fields: 'type: String displayName: String datasetNameDelimiter: String logoUrl: String',
    },
    fields: 'name: String! displayName: String',
  },
  dataType: { typeName: 'DataTypeEntity', fields: 'info: DataTypeInfo!' },
  entityType: { typeName: 'EntityTypeEntity', fields: 'info: EntityTypeInfo!' },
  structuredProperty: {
    typeName: 'StructuredPropertyEntity',
    fields: 'definition: StructuredPropertyDefinition settings: StructuredPropertySettings',
  },
};

export function kindOf({ name }: EntityTypeInfo): EntityKind {
  const kind = ENTITY_KINDS[name];
  if (kind === undefined) throw new Error(`the entity type ${name} has no GraphQL type`);
  return kind;
}

/** An entity as resolvers hand it on: its URN, which says its type. What else it has is read when a field asks for it. */
export interface EntityRef {
  readonly __typename: string;
  readonly parsed: ParsedUrn;
}

export function refOf(parsed: ParsedUrn): EntityRef {
  return { __typename: kindOf(parsed.entityType).typeName, parsed };
}

/** `undefined` for a text that is no URN of a type that the catalogue knows. */
export function tryRefOf(text: unknown): EntityRef | undefined {
  const parsed = typeof text === 'string' ? tryParseUrn(text) : undefined;
  return parsed === undefined ? undefined : refOf(parsed);
}
