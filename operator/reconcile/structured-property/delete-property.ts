import { parseDefinition } from '../../../model/definition.ts';
import { definitionOf } from '../../../model/resource/definition-of.ts';
import type { StructuredPropertyResource } from '../../../model/resource/resource.ts';
import { parseUrn } from '../../../model/urn.ts';
import type { OwnerMark } from '../../catalogue/catalogue.ts';
import { leaveTo, letGo } from '../common-steps.ts';
import { instructionsFor } from '../instructions.ts';
import { type Outcome, proceed, requeue } from '../outcome.ts';
import { canInherit, isMarkOf, ownerOf } from '../ownership.ts';
import { propertyUrnOf, qualifiedNameOf } from '../property-urn.ts';
import type { Tools, Work } from '../step.ts';

/** How often the progress of a cascade is asked for. */
const CASCADE_POLL_MS = 500;

/** The search name of a property does not tell the `<ns>` of its type. */
const ANY_WORD = 'any';

/** What became of a definition whose resource was deleted. */
type Fate = 'hard deleted' | 'soft deleted' | 'retained' | 'left to another resource' | 'pending';

/**
 * Carries out the deletion policy. It needs nothing but the owner marks, so that it works also for a manifest that was
 * deleted while nobody looked, and it asks for no references: what is being deleted must not wait for anything.
 */
export async function deleteProperty(work: Work<StructuredPropertyResource>, tools: Tools): Promise<Outcome> {
  const { entry, resource, report } = work;
  if (!entry.deleting) return proceed;
  const marks = await tools.catalogue.marksOf(entry.id);
  const fates: string[] = [];
  for (const mark of marks.filter(({ propertyUrn }) => propertyUrn === undefined)) {
    const fate = await tools.locks.run(mark.urn, () => carryOut(mark, work, tools));
    if (fate === 'pending') return requeue('backoff', 'Deleting', `${mark.urn} is still there`);
    fates.push(`${mark.urn} is ${fate}`);
    if (fate !== 'retained') report.written.push(`${mark.urn} ${fate}`);
    for (const key of tools.index.dependents(entry.id, qualifiedNameOf(mark.urn))) report.affected.add(key);
  }
  const urns = new Set([
    ...marks.map(({ urn }) => urn),
    ...(entry.status?.urn === undefined ? [] : [entry.status.urn]),
    // Whoever hard deleted it may have been killed before it had ever reported.
    ...(resource === undefined ? [] : [propertyUrnOf(resource.spec.qualifiedName)]),
  ]);
  for (const urn of urns) {
    const cascade = await tools.catalogue.cascadeOf(urn);
    if (cascade === undefined) continue;
    const { removed, remaining } = cascade;
    if (remaining === undefined) return requeue(CASCADE_POLL_MS, 'Deleting', `${urn} is gone; its values are counted`);
    report.cascade = { removed, remaining };
    return requeue(CASCADE_POLL_MS, 'Deleting', `${urn} is gone; ${removed} values removed, ${remaining} to go`);
  }
  for (const urn of urns) {
    const left = await leftOf(urn, work, tools);
    if (left !== undefined) return requeue('backoff', 'Deleting', left);
  }
  return await letGo(work, tools, fates.join('; ') || 'nothing in the catalogue belonged to it', marks);
}

/** What can still be read or searched of a property that is to be hard deleted; `undefined`: nothing that is ours. */
async function leftOf(urn: string, work: Work<StructuredPropertyResource>, tools: Tools): Promise<string | undefined> {
  const { resource } = work;
  if (resource?.spec.deletionPolicy !== 'HardDelete' || instructionsFor(work.entry).observeOnly) return undefined;
  // What is there again belongs to somebody else, or `carryOut` would have removed it.
  if ((await tools.catalogue.readProperty(urn)) !== undefined) return undefined;
  const definition = parseDefinition(definitionOf(resource.spec), parseUrn(urn), ANY_WORD);
  if (!definition.ok) return undefined;
  const holders = await tools.catalogue.countHolders(definition.value);
  if (holders === undefined) return `the search cannot tell now whether values of ${urn} are left`;
  return holders === 0 ? undefined : `a search still finds values of ${urn}: ${holders}`;
}

async function carryOut(
  mark: OwnerMark,
  { entry, resource }: Work<StructuredPropertyResource>,
  tools: Tools,
): Promise<Fate> {
  const { urn } = mark;
  const standing = await tools.catalogue.readProperty(urn);
  if (!isMarkOf(standing?.mark, tools.source.name, entry.id)) return 'left to another resource';
  const [heir] = tools.index.definers(qualifiedNameOf(urn));
  if (heir !== undefined) {
    const isLeft = !canInherit(heir.entry) || (await handOver(urn, heir.resource, tools));
    return isLeft ? 'left to another resource' : 'pending';
  }
  if (instructionsFor(entry).observeOnly) return 'retained';
  switch (resource?.spec.deletionPolicy ?? mark.deletionPolicy) {
    case 'HardDelete':
      await tools.catalogue.hardDelete(urn);
      return (await tools.catalogue.readProperty(urn)) === undefined ? 'hard deleted' : 'pending';
    case 'SoftDelete':
      await tools.catalogue.writeRemoved(urn, true);
      return 'soft deleted';
    default:
      return 'retained';
  }
}

/** Another resource that wishes for the same property gets it, with all its values. @returns whether it could. */
async function handOver(urn: string, heir: StructuredPropertyResource, tools: Tools): Promise<boolean> {
  const property = await tools.catalogue.readProperty(urn);
  if (property === undefined) return true;
  const owner = ownerOf(heir, tools.source.name);
  return await leaveTo(heir.id, tools, () => tools.catalogue.writeRemoved(urn, property.removed, owner));
}
