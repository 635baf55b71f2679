import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { breakingChanges } from './breaking-changes.ts';
import { crdFile } from './manifests.ts';

const FOLDER = join(import.meta.dirname, '../../test/crds/snapshot');

/**
 * A CRD as it was promised last: the present one, unless that would break a promise. Then the old one stays, and
 * test/crds/snapshot.test.ts says what to do.
 */
export function crdSnapshot(name: string): string {
  const file = join(FOLDER, name);
  const present = crdFile(name);
  if (!existsSync(file)) return present;
  const promised = readFileSync(file, 'utf8');
  return breakingChanges(parse(promised), parse(present)).length === 0 ? present : promised;
}
