import { isDatasetProperties, isStructuredProperty } from '../model/resource/resource.ts';
import { listedIn } from '../operator/reconcile/dataset-properties/wanted.ts';
import { propertyUrnOf } from '../operator/reconcile/property-urn.ts';
import { mapConcurrently } from '../operator/runtime/map-concurrently.ts';
import { explicitTargets } from '../operator/table/targets.ts';
import type { Overlay } from './catalogue/overlay.ts';
import type { Inputs } from './files/read-inputs.ts';

/** Requests under way. */
const AT_ONCE = 16;

/**
 * Reads at once what the reconciles will ask for one after the other. What is forgotten here is read later; it is only a
 * matter of time.
 */
export async function prefetch(
  { manifests, definitions, entities }: Inputs,
  overlay: Overlay,
  onProgress: (read: number, total: number) => void,
): Promise<void> {
  const urns = new Set<string>([...definitions, ...entities].map(({ urn }) => urn));
  const selecting: Promise<void>[] = [];
  for (const { wish } of manifests.values()) {
    if (wish.kind !== 'valid') continue;
    const { resource } = wish;
    if (isStructuredProperty(resource)) urns.add(propertyUrnOf(resource.spec.qualifiedName));
    if (!isDatasetProperties(resource)) continue;
    const { spec } = resource;
    for (const { reference } of listedIn(spec)) {
      if (reference.qualifiedName !== undefined) urns.add(propertyUrnOf(reference.qualifiedName));
    }
    const add = (dataset: string): void => {
      urns.add(dataset);
      for (const { fieldPath } of spec.fields) urns.add(`urn:li:schemaField:(${dataset},${fieldPath})`);
    };
    for (const dataset of explicitTargets(spec)) add(dataset);
    if (spec.datasetSelector !== undefined) {
      selecting.push(overlay.listDatasets(spec.datasetSelector).then((datasets) => datasets.forEach(add)));
    }
  }
  await Promise.all(selecting);
  for (const { urn } of await overlay.marksOf()) urns.add(urn);
  let read = 0;
  await mapConcurrently([...urns], AT_ONCE, async (urn) => {
    // A refusal belongs to the resource that asks; everything else ends the plan.
    await overlay.load(urn).catch(() => undefined);
    if (overlay.fault !== undefined) throw overlay.fault;
    read += 1;
    onProgress(read, urns.size);
  });
}
