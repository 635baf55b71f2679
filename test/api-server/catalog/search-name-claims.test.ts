import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { claimSearchName } from '../../../api-server/catalog/write/search-name-claims.ts';
import { parseUrn } from '../../../model/urn.ts';
import { definitionBody, property, refusal, TestCatalog, TIMEOUT } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
});
afterEach(() => catalog.close());

const holder = async (name: string) =>
  (await catalog.parts.store.records.get<{ urn: string }>('searchName', name))?.body.urn;
const collides = (name: string, other: string) =>
  `invalid: qualifiedName: Structured property search field '${name}' collides with existing property ${property(other)}`;

describe('two definitions', () => {
  it('cannot share a search name, and the second is told which has it', async () => {
    await catalog.define('a.b');
    expect(await refusal(catalog.define('a_b'))).toBe(collides('a_b', 'a.b'));
    expect(await catalog.parts.store.entities.get(property('a_b'))).toBeUndefined();
    expect(await refusal(catalog.define('a_b', { version: '20240614080000' }))).toBe(collides('a_b', 'a.b'));
    await catalog.define('a.b', { description: 'still its own' });
    await catalog.define('a.c');
  });

  it('cannot race for one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const names = [`x.y.z${round}`, `x_y.z${round}`, `x.y_z${round}`, `x_y_z${round}`];
      const outcomes = await Promise.allSettled(
        names.map((name) => {
          const write = catalog.write(
            property(name),
            { propertyDefinition: definitionBody(name) },
            {},
            catalog.replica(),
          );
          return write;
        }),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const winner = names[outcomes.findIndex(({ status }) => status === 'fulfilled')] ?? '';
      expect(await holder(`x_y_z${round}`)).toBe(property(winner));
      for (const name of names) {
        const stored = await catalog.parts.store.entities.get(property(name));
        expect(stored !== undefined).toBe(name === winner);
      }
    }
  });

  it('cannot share one in a batch, or with what a batch meets', async () => {
    const both = {
      [property('a.b')]: { propertyDefinition: definitionBody('a.b') },
      [property('a_b')]: { propertyDefinition: definitionBody('a_b') },
    };
    expect(await refusal(catalog.batch(both))).toContain(`collides within the same batch with ${property('a.b')}`);
    await catalog.define('c_d');
    const met = {
      [property('c.d')]: { propertyDefinition: definitionBody('c.d') },
      [property('e')]: { propertyDefinition: definitionBody('e') },
    };
    expect(await refusal(catalog.batch(met))).toContain(`collides with existing property ${property('c_d')}`);
    expect(await catalog.find('*', 'structuredProperty')).toEqual([]);
    expect(await catalog.parts.store.entities.list({ limit: 9 })).toHaveLength(1);
  });
});

describe('a search name', () => {
  it('is free as soon as its property is hard-deleted', async () => {
    await catalog.define('a.b');
    await catalog.delete(property('a.b'));
    expect(await holder('a_b')).toBeUndefined();
    await catalog.define('a_b');
    expect(await holder('a_b')).toBe(property('a_b'));
    await catalog.delete(property('a.b'));
    expect(await holder('a_b')).toBe(property('a_b'));
  });

  it('stays with a soft-deleted property', async () => {
    await catalog.define('a.b');
    await catalog.softDelete('a.b');
    await catalog.clock.advance(10 * TIMEOUT);
    expect(await refusal(catalog.define('a_b'))).toBe(collides('a_b', 'a.b'));
  });

  it('that a crashed request has claimed is free after the longest request time, not before', async () => {
    await claimSearchName(catalog.parts, parseUrn(property('a.b')));
    expect(await refusal(catalog.define('a_b'))).toBe(collides('a_b', 'a.b'));
    await catalog.clock.advance(TIMEOUT);
    expect(await refusal(catalog.define('a_b'))).toBe(collides('a_b', 'a.b'));
    await catalog.clock.advance(1);
    await catalog.define('a_b');
    expect(await holder('a_b')).toBe(property('a_b'));
  });

  it('of a living definition is never taken over, however old the claim', async () => {
    await catalog.define('a.b');
    await catalog.clock.advance(100 * TIMEOUT);
    expect(await refusal(catalog.define('a_b'))).toBe(collides('a_b', 'a.b'));
  });

  it('that was claimed but not used can be used by its own URN at once', async () => {
    await claimSearchName(catalog.parts, parseUrn(property('a.b')));
    await catalog.define('a.b');
  });

  it('stays with a definition that is written while the property is deleted', async () => {
    await catalog.define('a.b');
    const { store } = catalog.parts;
    const deleted = Promise.all([catalog.delete(property('a.b')), catalog.define('a.b', { description: 'x' })]);
    await deleted;
    const alive = (await store.entities.get(property('a.b')))?.deleted === undefined;
    if (alive) expect(await holder('a_b')).toBe(property('a.b'));
    await catalog.define('a.b', { description: 'y' });
    expect(await holder('a_b')).toBe(property('a.b'));
  });
});
