import { resourceKey } from '../../../model/resource/identity.ts';
import type { StructuredPropertyResource } from '../../../model/resource/resource.ts';
import { checkDeletion, checkPaused, checkValid, protect } from '../common-steps.ts';
import { instructionsFor, OBSERVE_ONLY } from '../instructions.ts';
import { at } from '../messages.ts';
import { done, type Outcome, proceed, requeue, terminal } from '../outcome.ts';
import { describeResource, isMarkOf } from '../ownership.ts';
import { propertyUrnOf } from '../property-urn.ts';
import { type Step, type Tools, type Work, wishOf } from '../step.ts';
import { deleteProperty } from './delete-property.ts';
import { differencesIn, isAsWished, type Observation, observeProperty, ownerInTheWay } from './observation.ts';
import { writeProperty } from './write-property.ts';

export interface PropertyWork extends Work<StructuredPropertyResource> {
  observation?: Observation;
}

/** The reconcile of a StructuredProperty. Order and reasons: paused and deletion come before anything that can wait. */
export const STRUCTURED_PROPERTY_STEPS: readonly Step<PropertyWork>[] = [
  { name: 'deletion', run: checkDeletion },
  { name: 'paused', run: checkPaused },
  { name: 'delete', run: deleteProperty },
  { name: 'validate', run: checkValid },
  { name: 'observe', run: observe },
  { name: 'observe-only', run: compareOnly },
  { name: 'conflict', run: checkConflict },
  { name: 'owner', run: checkOwner },
  { name: 'immutable', run: checkQualifiedName },
  { name: 'protect', run: protect },
  { name: 'compare', run: compare },
  { name: 'write', run: write },
];

function observationOf({ observation }: PropertyWork): Observation {
  if (observation === undefined) throw new Error('this step comes after the one that observes');
  return observation;
}

function checkConflict(work: PropertyWork, { index }: Tools): Outcome {
  const { id, spec } = wishOf(work);
  const [oldest] = index.definers(spec.qualifiedName);
  if (oldest === undefined || resourceKey(oldest.entry.id) === resourceKey(id)) return proceed;
  return terminal(
    'Conflict',
    at(work.entry, `${spec.qualifiedName} is defined by ${describeResource(oldest.entry)}, which is older`),
  );
}

async function observe(work: PropertyWork, tools: Tools): Promise<Outcome> {
  const resource = wishOf(work);
  work.report.urn = propertyUrnOf(resource.spec.qualifiedName);
  work.observation = await observeProperty(resource, tools);
  return proceed;
}

function checkOwner(work: PropertyWork, tools: Tools): Outcome {
  const holder = ownerInTheWay(observationOf(work), work.entry, tools);
  if (holder === undefined) return proceed;
  return terminal('Conflict', at(work.entry, `${work.report.urn} belongs to ${holder}`));
}

/** A resource that owns another property has had its qualified name changed: what should become of the old one? */
async function checkQualifiedName(work: PropertyWork, { catalogue, source }: Tools): Promise<Outcome> {
  const { id } = work.entry;
  if (isMarkOf(work.observation?.property?.mark, source.name, id)) return proceed;
  const marks = await catalogue.marksOf(id);
  const other = marks.find(({ urn, propertyUrn }) => propertyUrn === undefined && urn !== work.report.urn);
  if (other === undefined) return proceed;
  const message = `spec.qualifiedName cannot be changed: the resource owns ${other.urn}; use a new resource for a new name`;
  return terminal('ImmutableField', at(work.entry, message));
}

function compareOnly(work: PropertyWork): Outcome {
  if (!instructionsFor(work.entry).observeOnly) return proceed;
  work.report.differences = differencesIn(observationOf(work));
  return done('ready', OBSERVE_ONLY, 'compared only; nothing is written');
}

async function compare(work: PropertyWork, tools: Tools): Promise<Outcome> {
  if (!isAsWished(observationOf(work))) return proceed;
  await countHolders(observationOf(work), work, tools);
  return done('ready', 'Applied', readyMessage(work));
}

async function write(work: PropertyWork, tools: Tools): Promise<Outcome> {
  const resource = wishOf(work);
  const { report } = work;
  const urn = propertyUrnOf(resource.spec.qualifiedName);
  return await tools.locks.run(urn, async () => {
    const before = await observeProperty(resource, tools);
    const holder = ownerInTheWay(before, work.entry, tools);
    if (holder !== undefined) return terminal('Conflict', at(work.entry, `${urn} belongs to ${holder}`));
    const differences = differencesIn(before);
    await writeProperty(resource, before, tools);
    const { id } = work.entry;
    if (before.property?.definition !== undefined && !isMarkOf(before.property.mark, tools.source.name, id)) {
      report.adopted.push(urn);
    }
    for (const each of differences.length === 0 ? ['owner mark'] : differences) report.written.push(each);
    if (work.settled) for (const each of differences) report.drift.push(each);
    const after = await observeProperty(resource, tools);
    if (!isAsWished(after)) {
      return requeue('backoff', 'NotYetObserved', `written, but ${differencesIn(after).join('; ') || 'not marked'}`);
    }
    await countHolders(after, work, tools);
    return done('ready', 'Applied', readyMessage(work));
  });
}

/** Values of a soft-deleted property cannot be searched: the last count stands. */
async function countHolders({ property }: Observation, { report }: PropertyWork, { catalogue }: Tools): Promise<void> {
  if (property?.definition === undefined || property.removed) return;
  const holders = await catalogue.countHolders(property.definition);
  if (holders !== undefined) report.holders = holders;
}

function readyMessage(work: PropertyWork): string {
  const { removed, qualifiedName } = wishOf(work).spec;
  return removed ? `${qualifiedName} is soft deleted` : `${qualifiedName} is defined`;
}
