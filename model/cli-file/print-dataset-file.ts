import type { StructuredProperties } from '../assignment.ts';
import { canonicalJson } from '../canonical-json.ts';
import { listOf } from '../list-of.ts';
import { keyAspectOf, type ParsedUrn, parseUrn } from '../urn.ts';
import { parseDatasetFile } from './dataset-file.ts';
import { withoutAbsent } from './without-absent.ts';

type Aspects = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A dataset or dataFlow as the catalogue has it. */
export interface PrintedEntity {
  readonly urn: ParsedUrn;
  readonly aspects: Aspects;
  /** Its schema fields that have aspects of their own. */
  readonly fields: readonly { readonly urn: ParsedUrn; readonly aspects: Aspects }[];
}

/** What the dataset file has no place for, or what no write of the file concerns. */
const NOT_COMPARED: readonly string[] = ['status', 'datasetKey', 'dataFlowKey'];

/** An entity as an entry of the dataset file: `parseDatasetFile` reads it back to the same, as far as the file has a place. */
export function datasetEntry({ urn, aspects, fields }: PrintedEntity): Record<string, unknown> {
  const info = (urn.entityType.name === 'dataFlow' ? aspects.dataFlowInfo : aspects.datasetProperties) ?? {};
  const typeNames = listOf(aspects.subTypes?.typeNames);
  return withoutAbsent({
    ...identity(urn, aspects),
    subtype: typeNames.length === 1 ? typeNames[0] : undefined,
    subtypes: typeNames.length > 1 ? typeNames : undefined,
    description: info.description,
    properties: info.customProperties,
    structured_properties: propertiesOf(aspects),
    schema: schemaOf(urn, aspects, fields),
  });
}

/** Names of the aspects that are not, or not wholly, in the entry: sending it again would not bring them back. */
export function notInEntry(entity: PrintedEntity): string[] {
  const parsed = parseDatasetFile([datasetEntry(entity)], () => []);
  const kept: Aspects = parsed.ok ? ((parsed.value.entities[0]?.aspects ?? {}) as Aspects) : {};
  const names = Object.keys(entity.aspects).filter((name) => !NOT_COMPARED.includes(name));
  return names.filter((name) => canonicalJson(comparable(entity.aspects[name])) !== canonicalJson(kept[name]));
}

/** By id, platform and env; by URN where that would give the entity another name. */
function identity(urn: ParsedUrn, aspects: Aspects): Record<string, unknown> {
  const { platform = '', name = '', origin } = keyAspectOf(urn);
  const { datasetProperties, schemaMetadata, dataFlowInfo } = aspects;
  const given = datasetProperties?.name ?? dataFlowInfo?.name;
  const hasName = datasetProperties === undefined || given !== undefined;
  const hasSchemaName = schemaMetadata === undefined || schemaMetadata.schemaName === name;
  if (urn.entityType.name === 'dataFlow' || !hasName || !hasSchemaName) return { urn: urn.urn, name: given };
  return {
    id: name,
    platform: platform.slice('urn:li:dataPlatform:'.length),
    env: origin,
    name: given === name ? undefined : given,
  };
}

function schemaOf(urn: ParsedUrn, aspects: Aspects, fields: PrintedEntity['fields']): object | undefined {
  const values = new Map(fields.map((field) => [field.urn.urn as string, propertiesOf(field.aspects)]));
  const described = listOf(aspects.schemaMetadata?.fields).map((given) => {
    const field = given as Record<string, unknown>;
    const fieldUrn = `urn:li:schemaField:(${urn.urn},${field.fieldPath})`;
    const properties = values.get(fieldUrn);
    values.delete(fieldUrn);
    return withoutAbsent({
      id: field.fieldPath,
      type: field.nativeDataType === 'unknown' ? undefined : field.nativeDataType,
      nullable: field.nullable === false ? false : undefined,
      description: field.description,
      structured_properties: properties,
    });
  });
  const others = [...values].filter(([, properties]) => properties !== undefined);
  const all = [
    ...described,
    ...others.map(([other, properties]) => ({ urn: other, structured_properties: properties })),
  ];
  return all.length === 0 ? undefined : { fields: all };
}

function propertiesOf(aspects: Aspects): Record<string, unknown> | undefined {
  if (aspects.structuredProperties === undefined) return undefined;
  const { properties } = aspects.structuredProperties as StructuredProperties;
  const entries = properties.map(({ propertyUrn, values }) => {
    const scalars = values.map((value) => ('double' in value ? value.double : value.string));
    return [nameOf(propertyUrn), scalars.length === 1 ? scalars[0] : scalars];
  });
  return Object.fromEntries(entries);
}

/** The qualified name. The URN where the name would be taken for one, or where an object does not keep it in its place. */
function nameOf(propertyUrn: string): string {
  const name = parseUrn(propertyUrn).id;
  return /^\p{L}/u.test(name) && !name.startsWith('urn:li:') ? name : propertyUrn;
}

/** Stamps are the server's. */
function comparable(aspect: unknown): unknown {
  const { created: _created, lastModified: _lastModified, ...rest } = aspect as Record<string, unknown>;
  return rest;
}
