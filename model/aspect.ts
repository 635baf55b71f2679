import * as z from 'zod';
import { type EntityTypeInfo, findEntityType } from './entity-type.ts';
import { type Checked, checkShape, withoutNulls } from './shape.ts';
import { keyAspectOf, type ParsedUrn } from './urn.ts';
import { violation } from './violation.ts';

/**
 * The aspects that the catalogue stores. Three have rules of their own (`propertyDefinition`, `structuredProperties`,
 * `status`); a key aspect repeats the URN; the rest are documents of the reference catalogue, kept as they are sent.
 */

export const statusSchema = z
  .strictObject({
    removed: z.boolean().optional().describe('true: soft deleted'),
    lifecycleStage: z.string().optional(),
    lifecycleLastUpdated: z.unknown().optional(),
  })
  .meta({ id: 'Status', description: 'Whether an entity is soft deleted' });

export const settingsSchema = z
  .strictObject({
    isHidden: z.boolean().optional(),
    showInSearchFilters: z.boolean().optional(),
    showInAssetSummary: z.boolean().optional(),
    hideInAssetSummaryWhenEmpty: z.boolean().optional(),
    showAsAssetBadge: z.boolean().optional(),
    showInColumnsTable: z.boolean().optional(),
    lastModified: z.record(z.string(), z.unknown()).optional(),
  })
  .superRefine((settings, context) => {
    if (settings.isHidden !== true) return;
    for (const [flag, value] of Object.entries(settings)) {
      if (flag === 'isHidden' || value !== true) continue;
      context.addIssue({ code: 'custom', path: [flag], message: 'must not be true while isHidden is' });
    }
  })
  .meta({ id: 'StructuredPropertySettings', description: 'How clients show a property' });

const FOR_EVERY_ENTITY = ['status'];

const FOR_ASSETS = [
  'browsePathsV2',
  'container',
  'dataPlatformInstance',
  'deprecation',
  'domains',
  'globalTags',
  'glossaryTerms',
  'institutionalMemory',
  'ownership',
  'siblings',
  'subTypes',
  'upstreamLineage',
];

const FOR_ONE_TYPE: Readonly<Record<string, readonly string[]>> = {
  dataset: [
    'datasetProperties',
    'editableDatasetProperties',
    'schemaMetadata',
    'editableSchemaMetadata',
    'viewProperties',
  ],
  dataFlow: ['dataFlowInfo', 'editableDataFlowProperties'],
  dataJob: ['dataJobInfo', 'dataJobInputOutput', 'editableDataJobProperties'],
  schemaField: ['schemafieldInfo', 'schemaFieldAliases', 'documentation'],
  chart: ['chartInfo', 'editableChartProperties'],
  dashboard: ['dashboardInfo', 'editableDashboardProperties'],
  container: ['containerProperties', 'editableContainerProperties'],
  dataProduct: ['dataProductProperties'],
  domain: ['domainProperties'],
  glossaryTerm: ['glossaryTermInfo'],
  glossaryNode: ['glossaryNodeInfo'],
  tag: ['tagProperties'],
  corpuser: ['corpUserInfo', 'corpUserEditableInfo', 'corpUserStatus'],
  corpGroup: ['corpGroupInfo', 'corpGroupEditableInfo'],
  dataPlatform: ['dataPlatformInfo'],
  dataType: ['dataTypeInfo'],
  entityType: ['entityTypeInfo'],
  structuredProperty: ['propertyDefinition', 'structuredPropertySettings', 'institutionalMemory'],
};

/** Canonical names of all aspects that entities of a type can have; the key aspect first. */
export function aspectsOf(entityType: EntityTypeInfo): string[] {
  return [
    entityType.keyAspect,
    ...FOR_EVERY_ENTITY,
    ...(entityType.holdsProperties ? ['structuredProperties', ...FOR_ASSETS] : []),
    ...(FOR_ONE_TYPE[entityType.name] ?? []),
  ];
}

/** Looks an aspect of an entity type up by its name, ignoring case; `undefined` when the type has no such aspect. */
export function findAspect(entityType: EntityTypeInfo, name: string): string | undefined {
  return aspectsOf(entityType).find((aspect) => aspect.toLowerCase() === name.toLowerCase());
}

/** All aspect names of all entity types. */
export function isKnownAspect(name: string): boolean {
  const types = [...Object.keys(FOR_ONE_TYPE)].map((type) => findEntityType(type)).filter((type) => type !== undefined);
  return types.some((type) => findAspect(type, name) !== undefined);
}

/** Checks the shape of an aspect without rules of its own: `status`, settings, key aspects and opaque documents. */
export function parsePlainAspect(aspect: string, body: unknown, urn: ParsedUrn): Checked<Record<string, unknown>> {
  if (aspect === 'status') return checkShape(statusSchema, withoutNulls(body)) as Checked<Record<string, unknown>>;
  if (aspect === 'structuredPropertySettings') {
    return checkShape(settingsSchema, withoutNulls(body)) as Checked<Record<string, unknown>>;
  }
  if (aspect === urn.entityType.keyAspect) return parseKeyAspect(body, urn);
  return checkShape(z.record(z.string(), z.unknown()), body);
}

function parseKeyAspect(body: unknown, urn: ParsedUrn): Checked<Record<string, unknown>> {
  const expected = keyAspectOf(urn);
  const shape = z.strictObject(Object.fromEntries(Object.keys(expected).map((field) => [field, z.string()])));
  const checked = checkShape(shape, body);
  if (!checked.ok) return checked;
  const different = Object.entries(expected).filter(([field, value]) => checked.value[field] !== value);
  if (different.length === 0) return { ok: true, value: expected };
  const violations = different.map(([field, value]) =>
    violation('key-mismatch', field, `must be ${value}, as in the URN`),
  );
  return { ok: false, violations };
}
