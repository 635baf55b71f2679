import type { AssignedProperty } from '../../../model/assignment.ts';
import { listed } from '../../../process/text.ts';
import type { SourceResource } from '../../source/port.ts';
import type { ResourceTable } from '../../table/object-table.ts';
import { explicitTargets, isMeant } from '../../table/targets.ts';
import { instructionsFor } from '../instructions.ts';
import { at } from '../messages.ts';
import { type Outcome, proceed, requeue, terminal } from '../outcome.ts';
import { qualifiedNameOf } from '../property-urn.ts';
import { type Tools, wishOf } from '../step.ts';
import { entityWithUrn } from './entity.ts';
import { listedIn, resolveReference, type Wanted } from './wanted.ts';
import type { DatasetWork } from './work.ts';

/** Finds out which properties are meant. Until all of them exist nothing is written, and nothing is removed either. */
export async function resolveReferences(work: DatasetWork, tools: Tools): Promise<Outcome> {
  const { id, spec } = wishOf(work);
  const wanted: Wanted[] = [];
  const absent: string[] = [];
  const pending: string[] = [];
  for (const one of listedIn(spec)) {
    const { reference } = one;
    const propertyUrn = resolveReference(reference, id.namespace, tools.index);
    if (propertyUrn === undefined) {
      absent.push(`StructuredProperty ${reference.namespace ?? id.namespace}/${reference.name}`);
      continue;
    }
    for (const each of definersAtWork(propertyUrn, tools.index)) pending.push(each);
    wanted.push({ ...one, propertyUrn });
  }
  if (absent.length > 0) return requeue('event', 'ReferenceNotFound', `there is no ${listed([...new Set(absent)])}`);
  if (pending.length > 0) {
    return requeue('event', 'ReferenceNotReady', `waits for StructuredProperty ${listed([...new Set(pending)])}`);
  }
  const twice = wanted.find((one, index) => wanted.findIndex((other) => isSamePlace(one, other)) < index);
  if (twice !== undefined) {
    return terminal('Invalid', at(work.entry, `${twice.path}: ${twice.propertyUrn} is listed twice`));
  }
  work.wanted = wanted;
  return await readProperties(work, tools);
}

/** A change of a property and values that rely on it are often made together: the property comes first. */
function definersAtWork(propertyUrn: string, index: ResourceTable): string[] {
  return index
    .definers(qualifiedNameOf(propertyUrn))
    .slice(0, 1)
    .filter(({ entry }) => isAtWork(entry))
    .map(({ entry }) => `${entry.id.namespace}/${entry.id.name}`);
}

function isAtWork(entry: SourceResource): boolean {
  return entry.status?.observedGeneration !== entry.generation && !instructionsFor(entry).paused;
}

function isSamePlace(one: Wanted, other: Wanted): boolean {
  return one.propertyUrn === other.propertyUrn && one.fieldPath === other.fieldPath;
}

async function readProperties(work: DatasetWork, { catalogue, index }: Tools): Promise<Outcome> {
  const properties = new Map<string, AssignedProperty>();
  const undefinedOnes: string[] = [];
  const urns = [...new Set(work.wanted.map(({ propertyUrn }) => propertyUrn))];
  const found = await catalogue.readProperties(urns);
  for (const urn of urns) {
    const property = found.get(urn);
    if (property?.definition === undefined) undefinedOnes.push(urn);
    else properties.set(urn, { definition: property.definition, removed: property.removed });
  }
  work.properties = properties;
  if (undefinedOnes.length === 0) return proceed;
  // A property that no resource defines comes from elsewhere, and nothing will tell us when.
  const managed = undefinedOnes.every((urn) => index.definers(qualifiedNameOf(urn)).length > 0);
  return requeue(managed ? 'event' : 'backoff', 'ReferenceNotFound', `there is no ${listed(undefinedOnes)}`);
}

/**
 * Finds out which datasets are meant. The search index may lag behind, so a dataset that has our marks and that the
 * selector means by its URN counts as well: it must not lose its values because a search did not find it.
 */
export async function resolveTargets(work: DatasetWork, { catalogue }: Tools): Promise<Outcome> {
  const { id, spec } = wishOf(work);
  work.marks = await catalogue.marksOf(id);
  const datasets = new Set(explicitTargets(spec));
  if (spec.datasetSelector !== undefined) {
    for (const urn of await catalogue.listDatasets(spec.datasetSelector)) datasets.add(urn);
    for (const { urn } of work.marks) {
      const dataset = entityWithUrn(urn)?.dataset;
      if (dataset !== undefined && isMeant(spec, dataset)) datasets.add(dataset);
    }
  }
  work.datasets = [...datasets];
  work.report.targets = datasets.size;
  return proceed;
}
