import { appendFile, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { Scanner } from '../../../../operator/source/directory/scanner.ts';
import { dataset, property } from '../../../harness/manifests.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';
import { TestClock } from '../../../harness/test-clock.ts';

let folder: string;
let remove: () => Promise<void>;
let scanner: Scanner;
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  await mkdir(join(folder, 'deep'));
  await write('a.yaml', stringify(property()));
  await write('deep/b.yaml', stringify(dataset()));
  scanner = new Scanner(['.'], folder, (path) => path.slice(folder.length + 1), new TestClock());
});
afterEach(() => remove());

/** A file that is old enough for its time to tell of any change. */
async function write(file: string, text: string): Promise<void> {
  await writeFile(join(folder, file), text);
  await age(file);
}

async function age(file: string): Promise<void> {
  await utimes(join(folder, file), 1_700_000_000, 1_700_000_000);
}

describe('a look at the files', () => {
  it('gives the very same again while nothing differs', async () => {
    const scan = await scanner.scan();
    expect([...scan.manifests.keys()]).toHaveLength(2);
    expect(await scanner.scan()).toBe(scan);
    await rm(join(folder, 'a.yaml'));
    const less = await scanner.scan();
    expect([less.number, [...less.manifests.keys()]]).toEqual([3, ['DatasetProperties/governance/clicks']]);
    expect(await scanner.scan()).toBe(less);
  });

  it.each<[string, () => Promise<void>]>([
    ['a file with another content', () => appendFile(join(folder, 'a.yaml'), '# changed\n')],
    ['a file with another name', () => rename(join(folder, 'a.yaml'), join(folder, 'c.yaml'))],
    ['one that took the place of another', () => write('a.yaml', stringify(dataset({}, { name: 'other' })))],
    ['a folder that is gone', () => rm(join(folder, 'deep'), { recursive: true })],
    ['a link', () => symlink(join(folder, 'a.yaml'), join(folder, 'link.yaml'))],
  ])('sees %s', async (_, change) => {
    const scan = await scanner.scan();
    await change();
    expect(await scanner.scan()).not.toBe(scan);
  });

  it('takes a file that cannot be used for the same as long as it is, and sees when it is mended', async () => {
    await write('a.yaml', 'x'.repeat(9 * 2 ** 20));
    const scan = await scanner.scan();
    expect(scan.problems).toMatchObject([
      { reason: 'BrokenFile', location: 'a.yaml', message: 'is greater than 8 MiB' },
    ]);
    expect(await scanner.scan()).toBe(scan);
    await write('a.yaml', stringify(property()));
    expect((await scanner.scan()).problems).toEqual([]);
  });

  it('reads a young file again, whose time may not tell of a change, and says so only when there is one', async () => {
    const scan = await scanner.scan();
    const young = join(folder, 'young.yaml');
    await writeFile(young, '# one\n');
    const more = await scanner.scan();
    expect(more).not.toBe(scan);
    expect(await scanner.scan()).toBe(more);
    await writeFile(young, '# two\n');
    expect(await scanner.scan()).not.toBe(more);
  });
});
