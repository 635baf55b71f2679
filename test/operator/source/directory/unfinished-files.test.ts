import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import type { ResourceKey } from '../../../../model/resource/identity.ts';
import { DeletionDesk } from '../../../../operator/source/directory/deletion-desk.ts';
import { PATIENCE } from '../../../../operator/source/directory/deletion-guard.ts';
import type { Entry } from '../../../../operator/source/directory/entry.ts';
import { Inventory } from '../../../../operator/source/directory/inventory.ts';
import { Scanner } from '../../../../operator/source/directory/scanner.ts';
import { pathOfLocation, shownPath } from '../../../../operator/source/directory/shown-path.ts';
import { ObjectTable } from '../../../../operator/table/object-table.ts';
import { FakeRecords } from '../../../harness/fake-records.ts';
import { assign, dataset, property, textProperty } from '../../../harness/manifests.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';
import { TestClock } from '../../../harness/test-clock.ts';

/** What a folder source makes of its files at moments that a test chooses. */

let folder: string;
let remove: () => Promise<void>;
let records: FakeRecords;
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  records = new FakeRecords();
});
afterEach(() => remove());

const file = (name: string) => join(folder, name);
const text = (...documents: object[]) => documents.map((document) => stringify(document)).join('---\n');

class Life {
  readonly deleted: ResourceKey[] = [];
  problems: string[] = [];
  readonly #clock = new TestClock();
  readonly #table = new ObjectTable<Entry>();
  readonly #scanner = new Scanner(['.'], folder, (path) => shownPath(path, folder), this.#clock);
  readonly #inventory = new Inventory(
    {
      list: async () => [...records.stored.values()] as never,
      register: async (resources) => records.register('directory', [...resources]),
      putStatus: async () => undefined,
      remove: async () => undefined,
    },
    this.#table,
  );
  readonly #desk = new DeletionDesk({
    heldDeletions: { publish: async () => undefined, list: async () => [] },
    former: { whyAsk: async () => undefined, settled: async () => undefined },
    patience: PATIENCE,
    confirmFirst: false,
    show: (path) => shownPath(path, folder),
    pathOf: (location) => pathOfLocation(location, folder),
    changed: (path) => this.#scanner.changed(path),
  });

  /** Looks as often as the source does, until so many ms have passed. */
  async pass(ms: number, each: () => Promise<void> = async () => undefined): Promise<void> {
    for (const until = this.#clock.monotonic() + ms; this.#clock.monotonic() < until; await this.#clock.advance(500)) {
      await each();
      const now = this.#clock.monotonic();
      const scan = await this.#scanner.scan();
      const isStill = (path: string) => now - (this.#scanner.changed(path) ?? 0) >= PATIENCE.stillMs;
      this.#inventory.see(scan, now, isStill);
      const { deleted, problems } = await this.#desk.judge(scan, this.#table.objects, now);
      await this.#inventory.register();
      for (const key of deleted) this.#inventory.beginDeletion(key);
      this.deleted.push(...deleted);
      this.problems = problems.map(({ reason, location }) => `${reason} ${location}`);
    }
  }

  remember(): Promise<void> {
    return this.#inventory.remember([]);
  }

  wish(name: string): Record<string, unknown> | undefined {
    const wish = this.#table.list().find(({ id }) => id.name === name)?.wish;
    return wish?.kind === 'valid' ? { ...wish.resource.spec } : undefined;
  }
}

/** How many properties a resource sets. */
function propertiesOf(life: Life, name: string): number {
  const { properties = [] } = life.wish(name) ?? {};
  return (properties as object[]).length;
}

async function begun(): Promise<Life> {
  const life = new Life();
  await life.remember();
  await life.pass(1000);
  return life;
}

const both = () =>
  text(property(), dataset({ properties: [assign('retention', 30), assign('tier', 'gold'), assign('note', 'x')] }));

describe('a file that is emptied', () => {
  it('is a problem, and nothing that was in it is deleted before the file is removed', async () => {
    await writeFile(file('a.yaml'), both());
    const life = await begun();
    await writeFile(file('a.yaml'), '# nothing\n---\n');
    await life.pass(60_000);
    expect([life.deleted, life.problems]).toEqual([[], ['EmptyFile a.yaml']]);
    await rm(file('a.yaml'));
    await life.pass(5000);
    expect([life.deleted.length, life.problems]).toEqual([2, []]);
  });

  it('is the same when it was emptied while nobody looked', async () => {
    await writeFile(file('a.yaml'), both());
    await begun();
    await writeFile(file('a.yaml'), '');
    const life = await begun();
    await life.pass(60_000);
    expect([life.deleted, life.problems]).toEqual([[], ['EmptyFile a.yaml']]);
    await writeFile(file('a.yaml'), both());
    await life.pass(1000);
    expect([life.deleted, life.problems]).toEqual([[], []]);
  });

  it('is nothing to speak of when what was in it is elsewhere', async () => {
    await writeFile(file('a.yaml'), both());
    const life = await begun();
    await writeFile(file('a.yaml'), '');
    await writeFile(file('b.yaml'), both());
    await life.pass(60_000);
    expect([life.deleted, life.problems]).toEqual([[], []]);
  });
});

describe('a file that is written bit by bit', () => {
  it.each(['over itself', 'after it was removed'])('takes nothing away: %s', async (how) => {
    const whole = both();
    await writeFile(file('a.yaml'), whole);
    const life = await begun();
    const wished = life.wish('clicks');
    if (how === 'over itself') await writeFile(file('a.yaml'), '');
    else await rm(file('a.yaml'));
    await life.pass(2000);
    const lines = whole.split('\n').map((line) => `${line}\n`);
    await life.pass(lines.length * 500, async () => {
      await appendFile(file('a.yaml'), lines.shift() ?? '');
      // Half a document breaks rules: that is told, and writes nothing.
      expect([wished, undefined]).toContainEqual(life.wish('clicks'));
    });
    expect(await readFile(file('a.yaml'), 'utf8')).toBe(`${whole}\n`);
    await life.pass(20_000);
    // Before its namespace was there, the half document was one of the namespace `default`, and wished nothing.
    expect(life.deleted.filter((key) => key.includes('governance'))).toEqual([]);
    expect(life.wish('clicks')).toEqual(wished);
  });

  it('is taken at its word once it stood still for five seconds', async () => {
    await writeFile(file('a.yaml'), both());
    const life = await begun();
    await writeFile(file('a.yaml'), text(dataset({ properties: [assign('retention', 30)] })));
    await life.pass(4500);
    expect([life.deleted, propertiesOf(life, 'clicks')]).toEqual([[], 3]);
    await life.pass(1500);
    expect([life.deleted, propertiesOf(life, 'clicks')]).toEqual([['StructuredProperty/governance/retention'], 1]);
  });

  it('is followed at once in what it changes and adds', async () => {
    await writeFile(file('a.yaml'), both());
    const life = await begun();
    await writeFile(file('a.yaml'), `${both().replace('gold', 'tin')}---\n${text(textProperty('new'))}`);
    await life.pass(500);
    expect(JSON.stringify(life.wish('clicks'))).toContain('tin');
    expect(life.wish('new')).toBeDefined();
  });
});

describe('a file that is removed', () => {
  it('and copied again within two seconds has never been away', async () => {
    await writeFile(file('a.yaml'), both());
    const life = await begun();
    await rm(file('a.yaml'));
    await life.pass(2500);
    await writeFile(file('a.yaml'), both());
    await life.pass(20_000);
    expect(life.deleted).toEqual([]);
  });
});
