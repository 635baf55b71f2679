import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { registerResources } from '../../../api-server/catalog/resources/resources.ts';
import { importLines } from '../../../api-server/transfer/import-catalogue.ts';
import { readSession } from '../../../api-server/transfer/import-session.ts';
import { dataset, override, property, refusal, TestCatalog, TIMEOUT } from '../../harness/catalog.ts';
import { exportedLines, idOf, importAll, send } from '../../harness/transfer.ts';

let source: TestCatalog;
let target: TestCatalog;
/** header, datasets a to d, property p, end */
let lines: string[];
beforeEach(async () => {
  source = await TestCatalog.open();
  target = await TestCatalog.open();
  await source.define('p');
  for (const name of ['a', 'b', 'c', 'd']) await source.dataset(name);
  await source.assign(dataset('d'), { p: ['v'] });
  lines = await exportedLines(source.parts);
});
afterEach(async () => {
  await source.close();
  await target.close();
});

const count = () => target.parts.store.entities.count();
const changed = (index: number, change: (line: ReturnType<typeof JSON.parse>) => void) => {
  const line = JSON.parse(lines[index] ?? '');
  change(line);
  return lines.with(index, `${JSON.stringify(line)}\n`);
};

describe('an import', () => {
  it('tells how far it is, and that it has ended', async () => {
    expect(await readSession(target.parts)).toBeUndefined();
    expect(await send(target.parts, lines, 0, 3)).toMatchObject({ state: 'open', lines: 3 });
    expect(await send(target.parts, lines, 3)).toMatchObject({ state: 'finished', lines: 7 });
    expect(await readSession(target.parts)).toMatchObject({ state: 'finished', lines: 7 });
  });

  it('is seen by caches that knew the catalogue before', async () => {
    const generation = async () =>
      (await target.parts.store.records.get<{ generation: number }>('registry', 'registry'))?.body.generation ?? 0;
    const before = await generation();
    await importAll(target.parts, lines);
    expect(await generation()).toBeGreaterThan(before);
    expect(await target.values(dataset('d'))).toEqual(['p=v']);
  });

  it('takes the same lines any number of times, also when entities have moved on since', async () => {
    await importAll(target.parts, lines, 2);
    await target.dataset('a').then(() => target.write(dataset('a'), { status: { removed: true } }));
    const stored = await target.parts.store.entities.list({ limit: 10 });
    await importAll(target.parts, lines, 3);
    expect(await target.parts.store.entities.list({ limit: 10 })).toEqual(stored);
  });

  it('goes on where a crash has left some lines stored and their session behind', async () => {
    await send(target.parts, lines, 0, 2);
    let left = 2;
    const dying = override(target.parts.store.entities, {
      insert: async (document) => {
        left -= 1;
        if (left < 0) throw new Error('crash');
        return target.parts.store.entities.insert(document);
      },
    });
    const store = { ...target.parts.store, entities: dying, records: target.parts.store.records };
    await expect(send({ ...target.parts, store: store as never }, lines, 2, 6)).rejects.toThrow('crash');
    expect(await readSession(target.parts)).toMatchObject({ state: 'open', lines: 2 });
    expect(await send(target.parts, lines, 2)).toMatchObject({ state: 'finished' });
    expect((await exportedLines(target.parts)).slice(1)).toEqual(lines.slice(1));
  });

  it('may be sent by two at once', async () => {
    await send(target.parts, lines, 0, 1);
    await Promise.all([send(target.parts, lines, 1, 5), send(target.parts, lines, 1, 4)]);
    await send(target.parts, lines, 5);
    expect((await exportedLines(target.parts)).slice(1)).toEqual(lines.slice(1));
  });

  it('takes an export of an empty catalogue', async () => {
    await source.close();
    source = await TestCatalog.open();
    await importAll(target.parts, await exportedLines(source.parts));
    expect([await count(), (await readSession(target.parts))?.state]).toEqual([0, 'finished']);
  });
});

describe('an import is refused', () => {
  const untouched = async () => {
    expect(await readSession(target.parts)).toBeUndefined();
  };

  it('by a catalogue that has entities, which are counted and named', async () => {
    for (const name of ['x', 'y']) await target.dataset(name);
    expect(await refusal(send(target.parts, lines, 0))).toBe(
      `invalid: Only an empty catalogue can be imported into; this one has 2 entities, ${dataset('x')} the first. ` +
        'Start the server on an empty store, without MANIFESTS and CATALOGUE',
    );
    await untouched();
  });

  it('by one that an operator has reported resources to', async () => {
    await registerResources(target.parts, 'git', [{ kind: 'K', namespace: 'n', name: 'r', specHash: '' }]);
    expect(await refusal(send(target.parts, lines, 0))).toContain(
      'the resource K/n/r/git that an operator has reported',
    );
    await untouched();
  });

  it('for now by one that has traces of deleted entities', async () => {
    await target.dataset('x');
    await target.delete(dataset('x'));
    expect(await refusal(send(target.parts, lines, 0))).toMatch(/^unavailable: .* its trace goes after about 60 s$/u);
    await target.index();
    await target.parts.store.entities.purge(target.clock.now() + TIMEOUT, 10);
    expect(await send(target.parts, lines, 0)).toMatchObject({ state: 'finished' });
  });

  it.each([
    ['no JSON', 2, '{"kind":', /^line 3: .*JSON/u],
    ['no object', 2, '7', 'line 3: a JSON object is expected'],
    ['of an unknown kind', 2, '{"kind":"lease","id":"x","body":{}}', /^line 3: kind: /u],
    ['empty', 2, '', /^line 3: /u],
    ['too deep', 2, `{"kind":${'['.repeat(400)}${']'.repeat(400)}}`, 'line 3: it is nested deeper than 320 levels'],
    ['with a prototype', 2, '{"kind":{"__proto__":1}}', 'line 3: keys such as __proto__ are not allowed'],
    ['with one in disguise', 2, '{"\\u005f_proto__":1}', 'line 3: keys such as __proto__ are not allowed'],
    ['a second header', 2, '{"kind":"header"}', /^line 3: /u],
    ['an end in the middle', 2, '{"kind":"end","lines":3}', 'line 4: nothing may follow the end'],
    [
      'an end that counts other lines',
      6,
      '{"kind":"end","lines":9}',
      /^line 7: the export had 9 lines: the file is not/u,
    ],
    ['no header', 0, '{"kind":"end","lines":1}', /^line 1: .*format: this is no export of Proplane/u],
  ])('whole, naming the line, when one is %s', async (_what, index, line, message) => {
    const sent = { id: idOf(lines), before: 0, text: lines.with(index, `${line}\n`).join('') };
    const problem = await refusal(importLines(target.parts, sent));
    expect(problem.replace(/^malformed: /u, '')).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
    expect(await count()).toBe(0);
    await untouched();
  });

  it('whole when the body of a line has another shape, which is named', async () => {
    const cases: [(line: ReturnType<typeof JSON.parse>) => void, string][] = [
      [(line) => (line.id = 'urn:li:thing:x'), 'line 2: id: urn:li:thing:x is no URN'],
      [(line) => (line.body.revision = '1'), 'line 2: revision: Invalid input: expected number, received string'],
      [(line) => delete line.body.owners, 'line 2: owners: Invalid input: expected record, received undefined'],
      [(line) => (line.body.more = 1), 'line 2: unknown field "more"'],
      [(line) => (line.body.assignments = [{ propertyUrn: 'p', values: [] }]), 'line 2: assignments[0].epoch: '],
      [(line) => (line.body.aspects.status = { value: 1 }), 'line 2: aspects.status.value: '],
    ];
    for (const [change, message] of cases) {
      expect(await refusal(send(target.parts, changed(1, change), 0))).toContain(`malformed: ${message}`);
      expect(await count()).toBe(0);
    }
    await untouched();
  });

  it('when a newer release has written it, or a server with another namespace word', async () => {
    expect(
      await refusal(
        send(
          target.parts,
          changed(0, (line) => (line.version = 2)),
          0,
        ),
      ),
    ).toContain('malformed: line 1: version: this release reads version 1');
    expect(
      await refusal(
        send(
          target.parts,
          changed(0, (line) => (line.namespaceWord = 'acme')),
          0,
        ),
      ),
    ).toBe('malformed: line 1: the export is of a server with NAMESPACE_WORD=acme: start this one with it too');
    await untouched();
  });

  it('when lines are left out', async () => {
    expect(await refusal(send(target.parts, lines, 2))).toBe(
      'invalid: No import is under way: send the export from its header',
    );
    await send(target.parts, lines, 0, 2);
    expect(await refusal(send(target.parts, lines, 3))).toBe(
      'invalid: before: 2 lines have arrived, not 3: go on from there',
    );
    expect(await refusal(send(target.parts, lines.toSpliced(3, 1), 2))).toContain('the export had 7 lines');
  });

  it('while another one is under way, and names both ways out', async () => {
    await send(target.parts, lines, 0, 2);
    const other = await exportedLines(source.parts);
    for (const before of [0, 2]) {
      expect(await refusal(send(target.parts, other, before))).toMatch(
        /^invalid: Another import is under way, that of the export .*; 2 lines of it have arrived\. End it with its own file, or/u,
      );
    }
  });

  it('at a line that meets another entity, resource or search name', async () => {
    await send(target.parts, lines, 0, 1);
    await target.parts.store.entities.insert({
      ...((await source.parts.store.entities.get(dataset('b'))) as never as object),
      incarnation: 'other',
    } as never);
    expect(await refusal(send(target.parts, lines, 1))).toBe(
      `invalid: line 3: ${dataset('b')} is there already, and is another one. Begin again with an empty store`,
    );
    expect(await readSession(target.parts)).toMatchObject({ state: 'open', lines: 1 });
  });

  it('at the second of two definitions with one search name', async () => {
    const definition = JSON.parse(lines[5] ?? '');
    const twin = (name: string) => `${JSON.stringify({ ...definition, id: property(name) })}\n`;
    const twins = [...lines.slice(0, 5), twin('a.b'), twin('a_b'), '{"kind":"end","lines":8}\n'];
    expect(await refusal(importAll(target.parts, twins, 1))).toContain(
      'line 7: urn:li:structuredProperty:a_b and urn:li:structuredProperty:a.b have one search name',
    );
  });
});
