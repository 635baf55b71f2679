import type { DatasetPropertiesSpec } from '../../model/resource/dataset-properties.ts';
import { selects } from '../../model/resource/dataset-selector.ts';
import { tryParseUrn } from '../../model/urn.ts';

/** The datasets that a spec names one by one. */
export function explicitTargets({ datasetUrn, datasetUrns }: DatasetPropertiesSpec): string[] {
  return [...new Set([...(datasetUrn === undefined ? [] : [datasetUrn]), ...(datasetUrns ?? [])])];
}

/** Whether a spec means a dataset; the URN alone tells. */
export function isMeant(spec: DatasetPropertiesSpec, datasetUrn: string): boolean {
  if (spec.datasetSelector === undefined) return explicitTargets(spec).includes(datasetUrn);
  const parsed = tryParseUrn(datasetUrn);
  return parsed !== undefined && selects(spec.datasetSelector, parsed);
}
