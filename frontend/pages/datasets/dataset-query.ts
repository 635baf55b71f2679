import { queryOptions } from '@tanstack/react-query';
import type { Assignment } from '../../../model/assignment.ts';
import type { OwnedThing } from '../../../model/wire/owner-mark.ts';
import { pathOf, requestApi } from '../api/request.ts';
import type { EntityAnswer } from '../catalogue/entity-answer.ts';

/** The visible values of one entity, and which resources they belong to, unless that was not asked. */
export interface Holder {
  readonly urn: string;
  readonly assignments: readonly Assignment[];
  readonly owners: readonly OwnedThing[] | undefined;
}

/** A dataset with all its aspects, and with its marks if wished. Fails with 404 when there is none. */
export function datasetQuery(urn: string, withMarks: boolean) {
  return queryOptions({
    queryKey: ['dataset', urn, withMarks],
    queryFn: ({ signal }) =>
      requestApi<EntityAnswer>(
        pathOf`/openapi/v3/entity/dataset/${urn}?owners=${String(withMarks)}&systemMetadata=true`,
        { signal },
      ),
  });
}

const FIELDS_A_REQUEST = 200;

/** The values on the schema fields of a dataset, by field path; a field without any is absent. */
export function fieldsQuery(dataset: string, paths: readonly string[], withMarks: boolean) {
  return queryOptions({
    queryKey: ['dataset', dataset, 'fields', paths, withMarks],
    queryFn: async ({ signal }) => {
      const holders = new Map<string, Holder>();
      for (let from = 0; from < paths.length; from += FIELDS_A_REQUEST) {
        const byUrn = new Map(
          paths.slice(from, from + FIELDS_A_REQUEST).map((path) => [fieldUrn(dataset, path), path]),
        );
        const body = [...byUrn.keys()].map((urn) => ({ urn, structuredProperties: {} }));
        const path = `/openapi/v3/entity/schemaField/batchGet?owners=${withMarks}`;
        const entities = await requestApi<readonly EntityAnswer[]>(path, { method: 'POST', body, signal });
        for (const entity of entities) holders.set(byUrn.get(entity.urn) ?? '', holderOf(entity));
      }
      return holders;
    },
  });
}

export function holderOf({ urn, structuredProperties, owners }: EntityAnswer): Holder {
  return { urn, assignments: structuredProperties?.value.properties ?? [], owners };
}

/** @param path of a field, as the schema has it */
export function fieldUrn(dataset: string, path: string): string {
  return `urn:li:schemaField:(${dataset},${path})`;
}
