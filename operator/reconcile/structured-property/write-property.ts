import { RejectedError } from '../../../client/http-errors.ts';
import { definitionOf } from '../../../model/resource/definition-of.ts';
import type { StructuredPropertyResource } from '../../../model/resource/resource.ts';
import { describeViolations } from '../../../model/violation.ts';
import { ownerOf } from '../ownership.ts';
import { propertyUrnOf } from '../property-urn.ts';
import type { Tools } from '../step.ts';
import { foreseenRefusal } from './foreseen-refusal.ts';
import type { Observation } from './observation.ts';

/** Writes what differs, and nothing else. */
export async function writeProperty(
  resource: StructuredPropertyResource,
  { property, fields, unmarked }: Observation,
  { catalogue, source }: Tools,
): Promise<void> {
  const { spec } = resource;
  const urn = propertyUrnOf(spec.qualifiedName);
  const owner = ownerOf(resource, source.name);
  let removed = property?.removed ?? false;
  const redefine = fields.length > 0;
  if (redefine) {
    // What would be refused is not asked for again and again.
    const standing = property?.definition;
    const refused = standing === undefined ? [] : foreseenRefusal(urn, definitionOf(spec), standing);
    if (refused.length > 0) throw new RejectedError(400, describeViolations(refused), refused);
    // The definition of a soft-deleted property cannot be changed: it is restored for that moment.
    if (removed) await catalogue.writeRemoved(urn, false);
    try {
      await catalogue.writeDefinition(urn, definitionOf(spec), owner);
    } catch (error) {
      if (removed && error instanceof RejectedError) await catalogue.writeRemoved(urn, true);
      throw error;
    }
    removed = false;
  }
  if (spec.removed !== removed || (unmarked && !redefine)) await catalogue.writeRemoved(urn, spec.removed, owner);
}
