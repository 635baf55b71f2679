import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CatalogError } from '../../../api-server/catalog/errors.ts';
import {
  FILTER_OPERATORS,
  type FilterGroups,
  resolveFilters,
} from '../../../api-server/catalog/find/resolve-filters.ts';
import { resolveQuery } from '../../../api-server/catalog/find/resolve-query.ts';
import { indexChangeOf } from '../../../api-server/catalog/indexing/index-entry.ts';
import type { DefinedProperty, RegistryView } from '../../../api-server/catalog/registry/registry.ts';
import type { SearchCondition, SearchIndex } from '../../../api-server/search/port.ts';
import type { EntityDocument } from '../../../api-server/store/port.ts';
import type { Stamp, StoredAssignment } from '../../../model/entity/draft.ts';
import { QuerySyntaxError } from '../../../model/query/errors.ts';
import { printQuery } from '../../../model/query/print.ts';
import { searchNameOf } from '../../../model/search-name.ts';
import type { OpenedIndex, OpenIndex } from '../../contract/search/fixture.ts';
import { onEachSearchIndex } from '../../harness/each-search-index.ts';
import { compareText } from '../../harness/memory-search-index.ts';
import { meaningOfFilters, meaningOfQuery, Refused } from '../../harness/plain-answers.ts';
import {
  type PlainCatalogue,
  type PlainEntity,
  type PlainProperty,
  someCatalogue,
  someTopic,
  typedValues,
  urnOfProperty,
  VERSION,
} from '../../harness/plain-catalogue.ts';
import { anyQueryNode, type BareNode, withSpans } from '../../harness/query-nodes.ts';

/** Catalogues to try; a soak run asks for more. */
const RUNS = Number(process.env.PROPLANE_AGREEMENT_RUNS ?? 300);
const STAMP: Stamp = { time: 0, actor: 'urn:li:corpuser:ada' };

const oneTopic = someTopic.chain(({ queryNames, texts }) => anyQueryNode(queryNames, texts));
const queries: fc.Arbitrary<BareNode> = fc.oneof(
  oneTopic,
  fc.record({
    kind: fc.constantFrom('and' as const, 'or' as const),
    operands: fc.array(oneTopic, { minLength: 2, maxLength: 3 }),
  }),
);
const filter = someTopic.chain(({ filterNames, texts }) =>
  fc.record(
    {
      field: filterNames,
      condition: fc.constantFrom(...FILTER_OPERATORS),
      values: fc.array(texts, { minLength: 1, maxLength: 3 }),
      negated: fc.boolean(),
    },
    { requiredKeys: ['field', 'values'] },
  ),
);
const filters: fc.Arbitrary<FilterGroups> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.array(fc.record({ and: fc.array(filter, { minLength: 1, maxLength: 2 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
  },
  { weight: 1, arbitrary: fc.array(fc.record({ and: fc.array(filter, { maxLength: 1 }) }), { maxLength: 2 }) },
);

await onEachSearchIndex(RUNS, agree);

function agree(name: string, runs: number, open: OpenIndex): void {
  describe(`on ${name} both languages find what a plain catalogue has`, () => {
    let opened: OpenedIndex;
    let index: SearchIndex;
    beforeAll(async () => {
      opened = await open();
      index = opened.index;
    });
    afterAll(() => opened.close());

    async function fill({ properties, entities }: PlainCatalogue): Promise<void> {
      const leftovers = await index.scan(undefined, 1_000);
      await index.apply(leftovers.map((found) => ({ ...found, kind: 'drop', revision: found.revision + 1 })));
      await index.apply(entities.map((entity) => indexChangeOf(documentOf(entity, properties))));
    }

    /** The URNs that a condition finds, or `refused`. */
    async function found(resolve: () => Promise<SearchCondition>): Promise<string[] | 'refused'> {
      try {
        const condition = await resolve();
        const entityTypes = ['dataset', 'dataFlow'];
        const how = { entityTypes, condition, includeRemoved: false, order: 'ascending', limit: 100 } as const;
        return (await index.search(how)).hits.map(({ urn }) => urn);
      } catch (error) {
        if (error instanceof QuerySyntaxError || error instanceof CatalogError) return 'refused';
        throw error;
      }
    }

    it('in the query string', async () => {
      const asked = fc.array(queries, { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(someCatalogue, asked, async (catalogue, nodes) => {
          await fill(catalogue);
          for (const node of nodes) {
            const text = printQuery(withSpans(node));
            const answer = await found(() => resolveQuery(text, registryOf(catalogue)));
            expect({ text, answer }).toEqual({
              text,
              answer: expected(catalogue, () => meaningOfQuery(node, catalogue)),
            });
          }
        }),
        { numRuns: runs },
      );
    }, 3_600_000);

    it('in the filters of GraphQL', async () => {
      const asked = fc.array(filters, { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(someCatalogue, asked, async (catalogue, questions) => {
          await fill(catalogue);
          for (const groups of questions) {
            const answer = await found(() => resolveFilters(groups, registryOf(catalogue)));
            expect(answer).toEqual(expected(catalogue, () => meaningOfFilters(groups, catalogue)));
          }
        }),
        { numRuns: runs },
      );
    }, 3_600_000);
  });
}

function expected({ entities }: PlainCatalogue, meaning: () => (entity: PlainEntity) => boolean): string[] | 'refused' {
  try {
    const holds = meaning();
    const shown = entities.filter((entity) => !entity.removed && holds(entity));
    return shown.map(({ urn }) => urn).sort(compareText);
  } catch (error) {
    if (error instanceof Refused) return 'refused';
    throw error;
  }
}

const epochOf = ({ type }: PlainProperty) => `live-${type}`;

/** An entity as the store has it: with what nobody may find. */
function documentOf(entity: PlainEntity, properties: readonly PlainProperty[]): EntityDocument {
  const assigned = (
    property: PlainProperty,
    epoch: string,
    values: readonly (string | number)[],
  ): StoredAssignment => ({
    propertyUrn: urnOfProperty(property),
    values: typedValues(values),
    epoch,
    valueType: property.type,
  });
  const assignments = properties.flatMap((property) => [
    assigned(property, epochOf(property), entity.values[property.qualifiedName] ?? []),
    assigned(property, `old-${property.type}`, entity.hidden[property.qualifiedName] ?? []),
  ]);
  return {
    urn: entity.urn,
    entityType: entity.entityType,
    incarnation: 'one',
    revision: 1,
    aspects: entity.removed
      ? { status: { value: { removed: true }, version: 1, created: STAMP, modified: STAMP } }
      : {},
    assignments,
    owners: {},
    batches: [],
  };
}

/** What the registry says of the catalogue's properties. */
function registryOf({ properties }: PlainCatalogue): RegistryView {
  const states = new Map(
    properties
      .filter(({ state }) => state !== 'deleted')
      .map((property): [string, DefinedProperty] => [
        searchNameOf(property.qualifiedName),
        {
          urn: urnOfProperty(property),
          incarnation: 'one',
          definition: {
            qualifiedName: property.qualifiedName,
            valueType: `urn:li:dataType:datahub.${property.type}`,
            entityTypes: [],
            ...(['plain', 'removed'].includes(property.state) ? {} : { version: VERSION }),
          },
          removed: property.state.startsWith('removed'),
          epoch: epochOf(property),
        },
      ]),
  );
  return { propertyBySearchName: async (name: string) => states.get(name) } as unknown as RegistryView;
}
