import { keyAspectOf, schemaFieldUrn, tryParseUrn } from '../../../model/urn.ts';

/** A dataset or one of its fields. */
export interface TargetEntity {
  readonly urn: string;
  readonly dataset: string;
  readonly fieldPath: string | undefined;
}

export function entityOf(dataset: string, fieldPath: string | undefined): TargetEntity {
  return { urn: fieldPath === undefined ? dataset : schemaFieldUrn(dataset, fieldPath), dataset, fieldPath };
}

/** The entity that has this URN; `undefined` for one that is neither a dataset nor a field. */
export function entityWithUrn(urn: string): TargetEntity | undefined {
  const parsed = tryParseUrn(urn);
  if (parsed?.entityType.name === 'dataset') return { urn, dataset: urn, fieldPath: undefined };
  if (parsed?.entityType.name !== 'schemaField') return undefined;
  const { parent = '', fieldPath } = keyAspectOf(parsed);
  return { urn, dataset: parent, fieldPath };
}
