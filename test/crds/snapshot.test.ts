import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { breakingChanges } from '../../generate/crds/breaking-changes.ts';
import { SNAPSHOTS } from '../../generate/crds/file-names.ts';
import { crdFile } from '../../generate/crds/manifests.ts';

const FOLDER = join(import.meta.dirname, 'snapshot');

describe('a CRD', () => {
  it.each(SNAPSHOTS)('%s keeps what it promised', (name) => {
    const changes = breakingChanges(parse(readFileSync(join(FOLDER, name), 'utf8')), parse(crdFile(name)));
    if (changes.length === 0) return;
    throw new Error(
      `${changes.join('\n')}\n\nManifests that are in clusters and in git would be refused, or mean another thing. Make the ` +
        'change optional, or put it into a new version of the API. When nobody can have such manifests, remove ' +
        `test/crds/snapshot/${name} and run make generate.`,
    );
  });

  it.each(SNAPSHOTS)('%s is small enough for kubectl apply to keep a copy of it in an annotation', (name) => {
    expect(JSON.stringify(parse(crdFile(name))).length).toBeLessThan(64 * 1024);
  });
});
