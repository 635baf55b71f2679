import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { holdDeletions, listHeldDeletions } from '../../../api-server/catalog/resources/held-deletions.ts';
import { listOwners } from '../../../api-server/catalog/resources/owners.ts';
import { listResources, registerResources } from '../../../api-server/catalog/resources/resources.ts';
import { carryOut, recordBatch, rollForwardBatches } from '../../../api-server/catalog/write/batches.ts';
import { endedEpochs } from '../../../api-server/jobs/ended-epochs.ts';
import { listJobs } from '../../../api-server/jobs/job.ts';
import { JobRunner } from '../../../api-server/jobs/job-runner.ts';
import { jobWorks } from '../../../api-server/jobs/job-works.ts';
import { exportCatalogue } from '../../../api-server/transfer/export-catalogue.ts';
import { datasetUrn, schemaFieldUrn } from '../../../model/urn.ts';
import { eventually } from '../../harness/api.ts';
import { add, dataset, definitionBody, mark, property, refusal, TestCatalog, TIMEOUT } from '../../harness/catalog.ts';
import { checkCatalogue } from '../../harness/check-catalogue.ts';
import { exportedLines, importAll } from '../../harness/transfer.ts';

let source: TestCatalog;
let target: TestCatalog;
beforeEach(async () => {
  source = await TestCatalog.open();
  target = await TestCatalog.open();
});
afterEach(async () => {
  await source.close();
  await target.close();
});

const move = async () => importAll(target.parts, await exportedLines(source.parts));

/** Lets the jobs that collect come to their ends. */
async function collect(catalog: TestCatalog): Promise<void> {
  const jobs = new JobRunner(catalog.parts, jobWorks(catalog.parts), true);
  jobs.start();
  await eventually(async () => {
    await catalog.clock.advance(3 * TIMEOUT);
    for (const { state } of await listJobs(catalog.parts.store)) expect(state).toBe('done');
  });
  await jobs.stop();
  await catalog.index();
}

const problems = () => checkCatalogue(target.parts.store, target.parts.search);

describe('a moved catalogue', () => {
  it('has every document as it was: incarnation, revision, epochs, versions, stamps, marks', async () => {
    await source.define('n', { valueType: 'number', version: '20240101000000' }, { owner: mark('n') });
    await source.dataset('d');
    await source.assign(dataset('d'), { n: [1] }, { owner: mark('d') });
    await source.patch(dataset('d'), [add('n', 2)]);
    await source.write(schemaFieldUrn(dataset('d'), 'f'), { status: { removed: false } });
    await move();
    for (const urn of [property('n'), dataset('d'), schemaFieldUrn(dataset('d'), 'f')]) {
      const document = await source.parts.store.entities.get(urn);
      expect(document).toBeDefined();
      expect(await target.parts.store.entities.get(urn)).toEqual(document);
    }
  });

  it('leaves out what was deleted', async () => {
    await source.dataset('gone');
    await source.delete(dataset('gone'));
    await move();
    expect(await target.parts.store.entities.get(dataset('gone'))).toBeUndefined();
  });

  it('hides values of a soft-deleted property, and shows them again when it is restored', async () => {
    await source.define('p');
    await source.dataset('d');
    await source.assign(dataset('d'), { p: ['v'] });
    await source.softDelete('p');
    await move();
    expect(await target.values(dataset('d'))).toEqual([]);
    await target.restore('p');
    await target.index();
    expect(await target.values(dataset('d'))).toEqual(['p=v']);
    expect(await target.find('structuredProperties.p:v')).toEqual([dataset('d')]);
  });

  it('hides values of an ended epoch for ever, and removes them by the job that had not ended', async () => {
    await source.define('p', { version: '20240101000000' });
    await source.dataset('d');
    await source.assign(dataset('d'), { p: ['v'] });
    await source.define('p', { version: '20250101000000', valueType: 'number' });
    await move();
    expect([await target.values(dataset('d')), await target.stored(dataset('d'))]).toEqual([[], ['p=v']]);
    await collect(target);
    expect(await target.stored(dataset('d'))).toEqual([]);
    expect(await problems()).toEqual([]);
  });

  it('keeps the field of a deleted and made-again property apart from what the deletion left', async () => {
    await source.define('p');
    for (const name of ['old', 'new']) await source.dataset(name);
    await source.assign(dataset('old'), { p: ['v'] });
    await source.delete(property('p'));
    await source.define('p');
    await source.assign(dataset('new'), { p: ['v'] });
    await move();
    await collect(target);
    expect(await target.find('structuredProperties.p:v')).toEqual([dataset('new')]);
    expect(await problems()).toEqual([]);
  });

  it('has the search names of its definitions, which no other can take', async () => {
    await source.define('a.b');
    await move();
    await target.clock.advance(10 * TIMEOUT);
    expect(await refusal(target.define('a_b'))).toContain(
      'collides with existing property urn:li:structuredProperty:a.b',
    );
    await target.delete(property('a.b'));
    await target.define('a_b');
  });

  it('is found by search like the first', async () => {
    await source.define('n', { valueType: 'number' });
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      await source.dataset(name);
      await source.assign(dataset(name), { n: [index] });
    }
    await move();
    await target.index();
    expect(await target.find('structuredProperties.n:>=1 AND platform:hive')).toEqual([dataset('b'), dataset('c')]);
    expect(await problems()).toEqual([]);
  });

  it('lists the same owners, and the same resources with their ages and generations', async () => {
    const names = [1, 2, 3].map((index) => ({ kind: 'DatasetProperties', namespace: 'shop', name: `r${index}` }));
    await registerResources(
      source.parts,
      'git',
      names.map((name) => ({ ...name, specHash: 'one' })),
    );
    await source.clock.advance(1000);
    await registerResources(
      source.parts,
      'git',
      names.slice(1).map((name) => ({ ...name, specHash: 'two' })),
    );
    await source.define('p', {}, { owner: mark('r1', { kind: 'StructuredProperty' }) });
    await source.dataset('d');
    await source.assign(dataset('d'), { p: ['v'] }, { owner: mark('r2') });
    await move();
    const owners = await listOwners(source.parts, { limit: 10 });
    expect(owners.owners).toHaveLength(2);
    expect(await listOwners(target.parts, { limit: 10 })).toEqual(owners);
    const resourcesOf = ({ parts }: TestCatalog) => Array.fromAsync(listResources(parts, 'git'), ({ body }) => body);
    const resources = await resourcesOf(source);
    expect(resources.map(({ generation }) => generation)).toEqual([1, 2, 2]);
    expect(await resourcesOf(target)).toEqual(resources);
  });

  it('has what is nested as deep as a patch of an older release could make it', async () => {
    await source.dataset('deep');
    const { entities } = source.parts.store;
    const stored = await entities.get(dataset('deep'));
    const value = JSON.parse(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`);
    const aspects = { editableDatasetProperties: { ...Object.values(stored!.aspects)[0]!, value } };
    expect(await entities.replace({ ...stored!, revision: stored!.revision + 1, aspects }, stored!)).toBe(true);
    await move();
    expect((await target.parts.store.entities.get(dataset('deep')))?.aspects.editableDatasetProperties?.value).toEqual(
      value,
    );
  });

  it('waits for a person again before it carries out held deletions', async () => {
    await holdDeletions(source.parts, 'git', [
      { kind: 'DatasetProperties', namespace: 'shop', name: 'r', reason: 'many' },
    ]);
    await move();
    expect(await listHeldDeletions(target.parts, undefined)).toEqual([]);
  });

  it('knows the epochs that were collected', async () => {
    await source.define('p');
    await source.dataset('d');
    await source.assign(dataset('d'), { p: ['v'] });
    await source.delete(property('p'));
    await collect(source);
    await move();
    expect(await endedEpochs(source.parts.store)).toHaveProperty('size', 1);
    expect(await endedEpochs(target.parts.store)).toEqual(await endedEpochs(source.parts.store));
  });

  it('carries out a batch that a crash had cut, and writes no entity of it twice', async () => {
    const { context, parts } = source;
    const writes = ['done', 'left'].map((name) => ({
      ...source.entityWrite(dataset(name), { datasetProperties: { name } }),
      checkedFor: 'nothing',
    }));
    const batch = await recordBatch(parts, writes, context);
    const dies = {
      ...parts,
      store: {
        ...parts.store,
        records: {
          ...parts.store.records,
          get: (kind: string, id: string) => (kind === 'batch' ? Promise.reject() : parts.store.records.get(kind, id)),
        },
      },
    };
    await carryOut(dies as never, batch, writes.slice(0, 1), context).catch(() => undefined);
    await move();
    await target.write(dataset('done'), { datasetProperties: { name: 'later' } });
    await rollForwardBatches(target.parts, () => true);
    const name = async (which: string) =>
      (await target.parts.store.entities.get(dataset(which)))?.aspects.datasetProperties?.value.name;
    expect([await name('done'), await name('left')]).toEqual(['later', 'left']);
    expect(await target.parts.store.records.list('batch', undefined, 1)).toEqual([]);
  });

  it('hides schema fields of a deleted dataset, and removes them', async () => {
    const field = schemaFieldUrn(dataset('d'), 'f');
    await source.dataset('d');
    await source.write(field, { status: { removed: false } });
    await source.delete(dataset('d'));
    await source.dataset('d');
    await move();
    expect(await target.values(field)).toBeUndefined();
    await collect(target);
    expect((await target.parts.store.entities.get(field))?.deleted).toBeDefined();
    expect(await problems()).toEqual([]);
  });

  it('comes out again line by line as it went in', async () => {
    await source.define('p');
    await source.dataset('d');
    await source.write(dataset('d'), { editableDatasetProperties: { description: 'a\u2028b\nc' } });
    await source.assign(dataset('d'), { p: ['v'] }, { owner: mark('d') });
    await source.delete(property('p'));
    const lines = await exportedLines(source.parts);
    await importAll(target.parts, lines);
    expect((await exportedLines(target.parts)).slice(1)).toEqual(lines.slice(1));
  });
});

describe('an export', () => {
  it('goes on behind any of its lines with the very lines that follow', async () => {
    await source.define('p');
    for (const name of ['a', 'b', 'c']) await source.dataset(name);
    await source.write(schemaFieldUrn(dataset('a'), 'f'), { status: { removed: false } });
    await source.assign(dataset('a'), { p: ['v'] });
    await source.delete(property('p'));
    await registerResources(source.parts, 'git', [{ kind: 'K', namespace: 'n', name: 'r', specHash: '' }]);
    const lines = await exportedLines(source.parts);
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual([
      'header',
      'entity',
      'entity',
      'entity',
      'entity',
      'resource',
      'job',
      'end',
    ]);
    for (const [index, line] of lines.slice(0, -1).entries()) {
      const { kind, id } = JSON.parse(line);
      const rest = await exportedLines(source.parts, { after: `${kind}:${id}`, lines: index + 1 });
      expect(rest).toEqual(lines.slice(index + 1));
    }
  });

  it.each(['', 'entity', 'entity:nonsense', 'lease:indexer', 'schemaField:x', ':'])(
    'refuses to go on behind %j',
    (after) => {
      expect(() => exportCatalogue(source.parts, { after, lines: 1 })).toThrow(
        'after: not the kind and the id of a line',
      );
    },
  );

  it('with more entities than a page has every one of them, once', async () => {
    const urns = Array.from({ length: 250 }, (_, index) =>
      datasetUrn('hive', `d${String(index).padStart(3, '0')}`, 'PROD'),
    );
    await source.batch(Object.fromEntries(urns.map((urn) => [urn, { datasetProperties: { name: 'n' } }])));
    const lines = await exportedLines(source.parts);
    expect(lines.slice(1, -1).map((line) => JSON.parse(line).id)).toEqual(urns);
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ kind: 'end', lines: 252 });
  });

  it('that deletions and breaking versions overtake leaves nothing behind in the target', async () => {
    for (const name of ['breaks', 'goes', 'stays']) await source.define(name, { version: '20240101000000' });
    for (const name of ['a', 'b']) {
      await source.dataset(name);
      await source.assign(dataset(name), { breaks: ['v'], goes: ['v'], stays: ['v'] });
      await source.write(schemaFieldUrn(dataset(name), 'f'), { structuredProperties: { properties: [] } });
    }
    const lines: string[] = [];
    for await (const line of exportCatalogue(source.parts)) {
      lines.push(line);
      // What follows happens after the first dataset has been read, and is carried through before the end.
      if (!line.includes(`"id":"${dataset('a')}"`)) continue;
      await source.write(property('breaks'), {
        propertyDefinition: definitionBody('breaks', { version: '20250101000000', valueType: 'number' }),
      });
      await source.delete(property('goes'));
      await source.delete(dataset('b'));
      await collect(source);
    }
    await importAll(target.parts, lines);
    expect(await target.values(dataset('a'))).toEqual(['stays=v']);
    await collect(target);
    expect(await target.stored(dataset('a'))).toEqual(['stays=v']);
    expect(await problems()).toEqual([]);
  });
});
