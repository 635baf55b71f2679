import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keptText } from '../../process/private-files.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

describe('a text that is kept', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('is made once, in a folder of its own, for its owner alone, and leaves nothing else', () => {
    const path = join(folder.path, 'new', 'secret');
    expect(keptText(path, () => 'first')).toBe('first');
    expect(keptText(path, () => 'second')).toBe('first');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.path, 'new')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder.path, 'new'))).toEqual(['secret']);
  });

  it('is the one of who was first when two make it at one time', () => {
    const path = join(folder.path, 'secret');
    expect(keptText(path, () => keptText(`${path}`, () => 'first') && 'second')).toBe('first');
  });
});
