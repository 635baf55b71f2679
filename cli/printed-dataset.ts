import { listEntities, readEntity } from '../client/entities.ts';
import type { HttpClient } from '../client/http-client.ts';
import { datasetEntry, notInEntry } from '../model/cli-file/print-dataset-file.ts';
import { type ParsedUrn, parseUrn } from '../model/urn.ts';

/** A dataset or dataFlow as an entry of the dataset file. */
export interface PrintedDataset {
  readonly entry: Record<string, unknown>;
  /** Aspects that the file has no place for, or not for all of them. */
  readonly missing: readonly string[];
  readonly removed: boolean;
}

/** Reads an entity with the values on its schema fields. @returns `undefined` when it does not exist. */
export async function printedDataset(client: HttpClient, urn: ParsedUrn): Promise<PrintedDataset | undefined> {
  const entity = await readEntity(client, urn.urn);
  if (entity === undefined) return undefined;
  const query = `parent:"${urn.urn.replace(/["\\]/gu, '\\$&')}"`;
  const fields = await Array.fromAsync(
    listEntities(client, 'schemaField', { query, aspects: ['structuredProperties'] }),
  );
  const printed = {
    urn,
    aspects: entity.aspects,
    fields: fields
      .map((field) => ({ urn: parseUrn(field.urn), aspects: field.aspects }))
      // The search ignores case.
      .filter((field) => field.urn.key[0] === urn.urn),
  };
  return { entry: datasetEntry(printed), missing: notInEntry(printed), removed: entity.removed };
}
