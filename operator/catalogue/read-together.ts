import { type ResourceId, resourceKey } from '../../model/resource/identity.ts';
import { KeyedLock } from '../../process/keyed-lock.ts';
import { Together } from '../runtime/together.ts';
import type { BulkReads, Catalogue, ObservedHolder, ObservedProperty, OwnedProperty, OwnerMark } from './catalogue.ts';

/** So many resources are worth the inventory of the whole source. */
const WORTH_ALL_MARKS = 20;
/** Of what cannot be asked together. */
const REQUESTS_AT_ONCE = 4;

/** Something has to be written: that is not for whoever only looks. */
export class NotAsWishedError extends Error {}

/**
 * The catalogue for many looks at the same time: what they read in one turn of the event loop is one request.
 * Every write is refused. @throws NotAsWishedError
 * @param signal ends what waits for its turn.
 */
export function readTogether(catalogue: Catalogue & BulkReads, signal: AbortSignal): Catalogue {
  const lanes = new KeyedLock();
  let requests = 0;
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    requests += 1;
    return lanes.run(String(requests % REQUESTS_AT_ONCE), async () => {
      signal.throwIfAborted();
      return await task();
    });
  };
  const refuse = async (): Promise<never> => {
    throw new NotAsWishedError('something would have to be written');
  };
  const keyOf = (urn: string): string => urn;
  const holders = new Together<string, ObservedHolder | undefined>({
    keyOf,
    many: catalogue.readHolders,
    absent: undefined,
  });
  const properties = new Together<string, OwnedProperty | undefined>({
    keyOf,
    many: catalogue.readProperties,
    absent: undefined,
  });
  const marks = new Together<ResourceId, OwnerMark[]>({
    keyOf: resourceKey,
    many: (ids) => marksOfAll(ids, catalogue),
    absent: [],
  });
  return {
    readHolder: (urn) => holders.ask(urn),
    readProperty: (urn) => properties.ask(urn),
    async readProperties(urns) {
      const found = new Map<string, ObservedProperty>();
      const read = async (urn: string): Promise<void> => {
        const property = await properties.ask(urn);
        if (property !== undefined) found.set(urn, property);
      };
      await Promise.all(urns.map(read));
      return found;
    },
    marksOf: (id) => (id === undefined ? catalogue.marksOf() : marks.ask(id)),
    countHolders: (definition) => inTurn(() => catalogue.countHolders(definition)),
    listDatasets: (selector) => inTurn(() => catalogue.listDatasets(selector)),
    cascadeOf: (urn) => inTurn(() => catalogue.cascadeOf(urn)),
    writeDefinition: refuse,
    writeRemoved: refuse,
    hardDelete: refuse,
    patchAssignments: refuse,
    clearMarks: refuse,
  };
}

async function marksOfAll(ids: readonly ResourceId[], { marksOf }: Catalogue): Promise<Map<string, OwnerMark[]>> {
  if (ids.length >= WORTH_ALL_MARKS)
    return Map.groupBy(await marksOf(), ({ kind, namespace, name }) => `${kind}/${namespace}/${name}`);
  return new Map(await Promise.all(ids.map(async (id) => [resourceKey(id), await marksOf(id)] as const)));
}
