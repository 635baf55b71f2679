import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteEntity } from '../../../api-server/catalog/write/delete-entity.ts';
import { parseUrn } from '../../../model/urn.ts';
import { SYSTEM_CLOCK } from '../../../process/clock.ts';
import { add, dataset, override, property, refusal, TestCatalog, TIMEOUT } from '../../harness/catalog.ts';

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await TestCatalog.open();
});
afterEach(() => catalog.close());

const d = dataset('d');
const MIB = 1024 * 1024;

describe('an entity', () => {
  it('of up to 12 MiB is kept', async () => {
    await catalog.write(d, { datasetProperties: { description: 'x'.repeat(12 * MIB - 1000) } });
    expect((await catalog.parts.store.entities.get(d))?.aspects.datasetProperties?.version).toBe(1);
  });

  it('of more is refused, naming the largest aspect, and stays as it is', async () => {
    await catalog.write(d, { datasetProperties: { description: 'x'.repeat(7 * MIB) } });
    const before = await catalog.parts.store.entities.get(d);
    // Its size counts in bytes, not in characters.
    const more = catalog.write(d, { editableDatasetProperties: { description: 'ä'.repeat(3 * MIB) } });
    expect(await refusal(more)).toMatch(
      new RegExp(
        `^too-large: .*\\d+ bytes, ${7 * MIB + 18} of them in aspect datasetProperties; the limit is ${12 * MIB}$`,
        'u',
      ),
    );
    expect(await catalog.parts.store.entities.get(d)).toEqual(before);
  });

  it('is too large by its values as well', async () => {
    await catalog.define('p', { cardinality: 'MULTIPLE' });
    await catalog.dataset('d');
    const long = 'x'.repeat(5 * MIB);
    expect(await refusal(catalog.assign(d, { p: [long, long, long] }))).toContain('in aspect structuredProperties');
    await catalog.assign(d, { p: [long] });
    await catalog.patch(d, [add('p', long, long)]);
    expect(await refusal(catalog.patch(d, [add('p', long, long, long)]))).toContain('too-large: ');
  });
});

describe('a request', () => {
  /** Parts whose reads of entities take a while. */
  const slow = (time: number) => {
    const { store } = catalog.parts;
    const entities = override(store.entities, {
      get: async (urn) => {
        await catalog.clock.advance(time);
        return store.entities.get(urn);
      },
    });
    return catalog.replica({ store: override(store, { entities }) });
  };

  it('writes nothing after the longest request time', async () => {
    expect(await refusal(catalog.write(d, { datasetProperties: {} }, {}, slow(TIMEOUT + 1)))).toMatch(
      /^timeout: .*nothing of .* was changed/u,
    );
    expect(await catalog.parts.store.entities.get(d)).toBeUndefined();
    await catalog.write(d, { datasetProperties: {} }, {}, slow(TIMEOUT));
    const late = deleteEntity(slow(TIMEOUT + 1), parseUrn(d), catalog.context);
    expect(await refusal(late)).toMatch(/^timeout: .*nothing of .* was changed/u);
    expect((await catalog.parts.store.entities.get(d))?.deleted).toBeUndefined();
  });

  it('refuses a writer whose turn at an entity comes too late, without a look at the entity', async () => {
    const { turns, store } = catalog.parts;
    const gate = Promise.withResolvers<void>();
    const before = turns.run(d, () => gate.promise);
    let looks = 0;
    const entities = override(store.entities, {
      get: (urn) => {
        looks += 1;
        return store.entities.get(urn);
      },
    });
    const counting = catalog.replica({ store: override(store, { entities }), turns });
    const waiting = refusal(catalog.write(d, { datasetProperties: {} }, {}, counting));
    await catalog.clock.advance(TIMEOUT + 1);
    gate.resolve();
    await before;
    expect(await waiting).toMatch(/^timeout: /u);
    expect(looks).toBe(0);
  });

  it('that loses every race gives up at its deadline', async () => {
    await catalog.dataset('d');
    const { store } = catalog.parts;
    const entities = override(store.entities, {
      replace: async () => {
        await catalog.clock.advance(TIMEOUT / 10);
        return false;
      },
    });
    const losing = catalog.replica({ store: override(store, { entities }), after: SYSTEM_CLOCK.after });
    expect(await refusal(catalog.write(d, { status: { removed: true } }, {}, losing))).toContain('timeout: ');
    expect(await refusal(deleteEntity(losing, parseUrn(d), catalog.context))).toContain('timeout: ');
  });

  it('that is late with a definition leaves no definition, and its name is free in time', async () => {
    const body = { qualifiedName: 'a.b', valueType: 'string', entityTypes: [] };
    expect(
      await refusal(catalog.write(property('a.b'), { propertyDefinition: body }, {}, slow(TIMEOUT + 1))),
    ).toContain('timeout: ');
    expect(await catalog.parts.store.entities.get(property('a.b'))).toBeUndefined();
    await catalog.clock.advance(TIMEOUT + 1);
    await catalog.define('a_b');
  });
});
