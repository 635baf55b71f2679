import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Identity } from '../../../api-server/auth/authenticator.ts';
import { WHOLE } from '../../../api-server/catalog/read/read-entities.ts';
import { CatalogRequest } from '../../../api-server/catalog/request.ts';
import { countFacet, findEntities, readAllEntities, readEntity } from '../../../api-server/use-cases/entities.ts';
import { Grants } from '../../../model/access/grants.ts';
import { type Criterion, type Policy, policySchema } from '../../../model/access/policy.ts';
import { type EntityTypeInfo, findEntityType } from '../../../model/entity-type.ts';
import { parseUrn } from '../../../model/urn.ts';
import { refusal, TestCatalog, TIMEOUT } from '../../harness/catalog.ts';

const ada: Identity = { by: 'token', actor: 'urn:li:corpuser:ada', groups: ['urn:li:corpGroup:makers'], roles: [] };
const TYPES = ['dataset', 'chart'].map((name) => findEntityType(name) as EntityTypeInfo);
const DOMAINS = ['urn:li:domain:shop', 'urn:li:domain:law'];
const OWNERS = [ada.actor, 'urn:li:corpGroup:makers', 'urn:li:corpuser:bob'];
const URNS = [
  ...['hive', 'kafka'].flatMap((platform) =>
    ['logs.a', 'logs.b', 'sales'].map((name) => `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`),
  ),
  'urn:li:chart:(looker,one)',
  'urn:li:chart:(looker,two)',
];

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.open();
  for (const [at, urn] of URNS.entries()) {
    await catalog.write(urn, {
      status: { removed: false },
      ...(at % 3 === 0 ? {} : { domains: { domains: [DOMAINS[at % 2]] } }),
      ...(at % 4 === 0 ? {} : { ownership: { owners: [{ owner: OWNERS[at % 3], type: 'DATAOWNER' }] } }),
    });
  }
  await catalog.index();
});
afterAll(() => catalog.close());

/** A request of somebody for whom these policies hold. */
function requestUnder(policies: readonly Policy[], caller = ada): CatalogRequest {
  const request = new CatalogRequest(catalog.parts, { caller, deadline: catalog.clock.monotonic() + TIMEOUT });
  request.grants = Promise.resolve(new Grants(caller, policies));
  return request;
}

function viewing(rest: object): Policy {
  const base = { id: 'p', name: 'P', type: 'METADATA', privileges: ['VIEW_ENTITY_PAGE'], actors: { allUsers: true } };
  return policySchema.parse({ ...base, ...rest });
}

const everything = { entityTypes: TYPES, condition: { kind: 'all' as const }, includeRemoved: false };
const search = (request: CatalogRequest) =>
  findEntities(request, { ...everything, count: 100, order: 'ascending' }, WHOLE);

const criterion: fc.Arbitrary<Criterion> = fc.oneof(
  fc.record({
    field: fc.constant('TYPE' as const),
    condition: fc.constantFrom('EQUALS' as const, 'STARTS_WITH' as const),
    values: fc.subarray(['dataset', 'chart', 'da', 'dashboard'], { minLength: 1 }),
  }),
  fc.record({
    field: fc.constant('URN' as const),
    condition: fc.constantFrom('EQUALS' as const, 'STARTS_WITH' as const),
    values: fc.subarray([...URNS, 'urn:li:dataset:(urn:li:dataPlatform:hive,logs', 'urn:li:ch'], {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({
    field: fc.constant('PLATFORM' as const),
    condition: fc.constantFrom('EQUALS' as const, 'STARTS_WITH' as const),
    values: fc.subarray(['hive', 'urn:li:dataPlatform:kafka', 'urn:li:dataPlatform:k', 'h'], { minLength: 1 }),
  }),
  fc.record({
    field: fc.constant('DOMAIN' as const),
    condition: fc.constantFrom('EQUALS' as const, 'STARTS_WITH' as const),
    values: fc.subarray([...DOMAINS, 'urn:li:domain:'], { minLength: 1 }),
  }),
);

const policies = fc.array(
  fc
    .record({
      filter: fc.array(criterion, { maxLength: 2 }),
      actors: fc.constantFrom({ allUsers: true }, { resourceOwners: true }, { users: ['urn:li:corpuser:bob'] }),
    })
    .map(({ filter, actors }) => viewing({ actors, ...(filter.length === 0 ? {} : { resources: { filter } }) })),
  { maxLength: 3 },
);

describe('what a caller may see', () => {
  it('is the same in searches, in totals, in facets and one by one', async () => {
    await fc.assert(
      fc.asyncProperty(policies, async (given) => {
        const found = await search(requestUnder(given));
        const read = await readAllEntities(
          requestUnder(given),
          URNS.map((urn) => ({ urn })),
          WHOLE,
        );
        const readable = read.map(({ urn }) => urn).sort();
        expect(found.entities.map(({ urn }) => urn)).toEqual(readable);
        expect(found.total).toBe(readable.length);
        const { values } = await countFacet(requestUnder(given), '_entityType', everything, 10);
        expect(values.reduce((sum, { count }) => sum + count, 0)).toBe(readable.length);
        for (const urn of URNS) {
          const one = readEntity(requestUnder(given), parseUrn(urn), new Set(['status']));
          if (readable.includes(urn)) expect((await one)?.urn).toBe(urn);
          else expect(await refusal(one)).toMatch(/^unauthorized: /u);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is told alike whether it exists or not, where it may not be seen', async () => {
    const message = (urn: string) => refusal(readEntity(requestUnder([]), parseUrn(urn)));
    const [there = '', away = ''] = [URNS[0], URNS[0]?.replace('logs.a', 'nowhere')];
    expect((await message(away)).replace('nowhere', 'logs.a')).toBe(await message(there));
  });

  it('is not read from the index alone: what has changed since is not shown', async () => {
    const owned = [viewing({ actors: { resourceOwners: true } })];
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,lately,PROD)';
    const ownedBy = (owner: string) => ({ ownership: { owners: [{ owner, type: 'DATAOWNER' }] } });
    await catalog.write(urn, { status: { removed: false }, ...ownedBy(ada.actor) });
    await catalog.index();
    expect((await search(requestUnder(owned))).entities.map((each) => each.urn)).toContain(urn);
    await catalog.write(urn, ownedBy('urn:li:corpuser:bob'));
    expect((await search(requestUnder(owned))).entities.map((each) => each.urn)).not.toContain(urn);
    await catalog.delete(urn);
    await catalog.index();
  });
});
