import { definitionOf } from '../../../model/resource/definition-of.ts';
import type { StructuredPropertyResource } from '../../../model/resource/resource.ts';
import type { OwnedProperty } from '../../catalogue/catalogue.ts';
import type { SourceResource } from '../../source/port.ts';
import { definitionDifferences } from '../definition-differences.ts';
import { holderInTheWay, isUpToDate, ownerOf } from '../ownership.ts';
import { propertyUrnOf } from '../property-urn.ts';
import type { Tools } from '../step.ts';

/** The property as the catalogue has it, and how that differs from what is wished. */
export interface Observation {
  readonly property: OwnedProperty | undefined;
  /** Fields of the definition that differ; `['definition']`: there is none. */
  readonly fields: readonly string[];
  readonly removed: boolean;
  /** The owner mark is another than a write would set. */
  readonly unmarked: boolean;
}

export async function observeProperty(resource: StructuredPropertyResource, tools: Tools): Promise<Observation> {
  const urn = propertyUrnOf(resource.spec.qualifiedName);
  const property = await tools.catalogue.readProperty(urn);
  const definition = property?.definition;
  const fields =
    definition === undefined ? ['definition'] : definitionDifferences(urn, definitionOf(resource.spec), definition);
  return {
    property,
    fields,
    removed: (property?.removed ?? false) !== resource.spec.removed,
    unmarked: !isUpToDate(property?.mark, ownerOf(resource, tools.source.name)),
  };
}

/** Who stands in the way of writing what was observed; `undefined`: nobody. */
export function ownerInTheWay({ property }: Observation, entry: SourceResource, tools: Tools): string | undefined {
  return property?.definition === undefined && property?.mark === undefined
    ? undefined
    : holderInTheWay(property.mark, entry, tools);
}

/** What differs in the catalogue, for people; a missing mark is our own affair. */
export function differencesIn({ property, fields, removed }: Observation): string[] {
  if (property?.definition === undefined) return ['the definition does not exist'];
  return [
    ...fields.map((field) => `${field} differs`),
    ...(removed ? [property.removed ? 'it is soft deleted' : 'it is not soft deleted'] : []),
  ];
}

export function isAsWished({ fields, removed, unmarked }: Observation): boolean {
  return fields.length === 0 && !removed && !unmarked;
}
