import { selects } from '../../model/resource/dataset-selector.ts';
import { parseUrn, tryParseUrn } from '../../model/urn.ts';
import type { ResourceRecord } from '../../operator/catalogue/resource-records.ts';
import type { Base } from './base.ts';
import { MemoryCatalogue } from './memory-catalogue.ts';

export interface MemoryBaseOptions {
  readonly catalogue?: MemoryCatalogue;
  readonly records?: readonly ResourceRecord[];
  /** Aspects without rules of their own, by URN and name. */
  readonly aspects?: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Datasets that a selector can find. */
  readonly datasets: ReadonlySet<string>;
}

/** A catalogue in memory, where every dataset is taken to exist: nobody can be asked whether it does. */
export function createMemoryBase({
  catalogue = new MemoryCatalogue(),
  records = [],
  aspects = new Map(),
  datasets,
}: MemoryBaseOptions): Base {
  return {
    readProperty: async (urn) => catalogue.readProperty(urn),

    async readAssignments(urn) {
      if (catalogue.holders.has(urn)) return catalogue.living(urn);
      return tryParseUrn(urn)?.entityType.name === 'dataset' ? [] : undefined;
    },

    async readAspects(urn, names) {
      const known = aspects.get(urn) ?? {};
      return Object.fromEntries(names.filter((name) => name in known).map((name) => [name, known[name]]));
    },

    async listDatasets(selector) {
      return [...datasets].filter((urn) => selects(selector, parseUrn(urn)));
    },

    async propertiesNamed(searchName) {
      return catalogue.propertiesNamed(searchName).filter((urn) => catalogue.properties.has(urn));
    },

    marks: async () => [...catalogue.marks],
    records: async () => records,

    async countHolders(urn) {
      const urns = [...catalogue.holders.keys()].filter((holder) => {
        return catalogue.readAssignments(holder)?.some(({ propertyUrn }) => propertyUrn === urn) === true;
      });
      const byType = Object.groupBy(urns, (holder) => parseUrn(holder).entityType.name);
      const counts = Object.entries(byType).map(([entityType, of = []]) => ({ entityType, count: of.length }));
      return { counts, urns };
    },
  };
}
