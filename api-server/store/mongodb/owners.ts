import type { Collection, Filter } from 'mongodb';
import type { OwnedThing, OwnersRequest } from '../port.ts';
import type { MongoEntity, MongoOwner } from './document.ts';

/**
 * Owner marks in the order of (urn, propertyUrn). MongoDB finds the entities, in order; the marks of one entity are put
 * in order here.
 */
export async function findOwners(
  entities: Collection<MongoEntity>,
  { urn, after, limit, ...mark }: OwnersRequest,
): Promise<OwnedThing[]> {
  const wanted = Object.entries(mark).filter(([, value]) => value !== undefined);
  const isWanted = (owner: MongoOwner) => wanted.every(([key, value]) => owner[key as keyof MongoOwner] === value);
  const isBehind = (id: string, on: string) =>
    after === undefined || (compareCodePoints(id, after.urn) || compareCodePoints(on, after.propertyUrn)) > 0;
  const marked: Filter<MongoEntity> = {
    owners: wanted.length === 0 ? { $ne: [] } : { $elemMatch: Object.fromEntries(wanted) },
    ...(after === undefined ? {} : { _id: { $gte: after.urn } }),
  };
  const found = entities
    .find(urn === undefined ? marked : { _id: urn })
    .sort({ _id: 1 })
    // The first may be the entity in which the page before ended.
    .limit(limit + 1)
    .project<Pick<MongoEntity, '_id' | 'owners'>>({ owners: 1 });

  const things: OwnedThing[] = [];
  for await (const { _id, owners } of found) {
    const next = owners
      .filter((owner) => isWanted(owner) && isBehind(_id, owner.on))
      .sort((one, other) => compareCodePoints(one.on, other.on));
    for (const each of next.map((owner) => ownedThing(_id, owner))) things.push(each);
    if (things.length >= limit) break;
  }
  return things.slice(0, limit);
}

function ownedThing(urn: string, { on, source, kind, namespace, name, deletionPolicy }: MongoOwner): OwnedThing {
  const thing = { urn, source, kind, namespace, name, deletionPolicy };
  return on === '' ? thing : { ...thing, propertyUrn: on };
}

/** By code points, as MongoDB compares. */
function compareCodePoints(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
