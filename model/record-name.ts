/** Names of the records that clients of the reference catalogue look for around an aspect. Source: its Python client. */
const RECORD_NAMES: Readonly<Record<string, string>> = {
  structuredPropertyKey: 'com.linkedin.structured.StructuredPropertyKey',
  propertyDefinition: 'com.linkedin.structured.StructuredPropertyDefinition',
  structuredPropertySettings: 'com.linkedin.structured.StructuredPropertySettings',
  structuredProperties: 'com.linkedin.structured.StructuredProperties',
  datasetProperties: 'com.linkedin.dataset.DatasetProperties',
  editableDatasetProperties: 'com.linkedin.dataset.EditableDatasetProperties',
  upstreamLineage: 'com.linkedin.dataset.UpstreamLineage',
  viewProperties: 'com.linkedin.dataset.ViewProperties',
  schemaMetadata: 'com.linkedin.schema.SchemaMetadata',
  editableSchemaMetadata: 'com.linkedin.schema.EditableSchemaMetadata',
  domains: 'com.linkedin.domain.Domains',
  container: 'com.linkedin.container.Container',
  dataFlowInfo: 'com.linkedin.datajob.DataFlowInfo',
  dataJobInfo: 'com.linkedin.datajob.DataJobInfo',
  entityTypeKey: 'com.linkedin.entitytype.EntityTypeKey',
  entityTypeInfo: 'com.linkedin.entitytype.EntityTypeInfo',
  dataTypeKey: 'com.linkedin.datatype.DataTypeKey',
  dataTypeInfo: 'com.linkedin.datatype.DataTypeInfo',
  dataPlatformInfo: 'com.linkedin.dataplatform.DataPlatformInfo',
};

/** The record name of an aspect: keys and common aspects follow a pattern, the rest is listed. */
export function recordNameOf(aspect: string): string {
  const listed = RECORD_NAMES[aspect];
  if (listed !== undefined) return listed;
  return `com.linkedin.${aspect.endsWith('Key') ? 'metadata.key' : 'common'}.${capitalized(aspect)}`;
}

/** The record that holds a whole entity in the oldest form of reading. */
export function snapshotNameOf(entityType: string): string {
  return `com.linkedin.metadata.snapshot.${capitalized(entityType)}Snapshot`;
}

function capitalized(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
