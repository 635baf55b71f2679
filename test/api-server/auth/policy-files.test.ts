import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readPolicyFiles } from '../../../api-server/auth/policy-files.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const STEWARDS = `id: stewards
name: Stewards
type: METADATA
privileges: [EDIT_ENTITY]
actors: { groups: ["urn:li:corpGroup:stewards"] }
`;

describe('files of policies', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
    mkdirSync(join(folder.path, 'more'));
  });
  afterEach(() => folder.remove());

  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  const read = (...globs: string[]) => readPolicyFiles(globs, folder.path);

  function problems(...globs: string[]): string[] {
    try {
      read(...globs);
    } catch (error) {
      return (error as Error).message.replaceAll(`${folder.path}/`, '').split('\n');
    }
    throw new Error('they were taken');
  }

  it('have documents, or lists of them, as many as one likes', () => {
    write('a.yaml', `${STEWARDS}---\n---\n${STEWARDS.replace('id: stewards', 'id: others')}`);
    const listed = STEWARDS.trimEnd().replaceAll('\n', '\n  ').replace('id: stewards', 'id: third');
    write('more/b.yml', `- ${listed}\n`);
    write('more/c.txt', 'not one of them');
    expect(read('.').map(({ id }) => id)).toEqual(['stewards', 'others', 'third']);
    expect(read('**/*.yml').map(({ id }) => id)).toEqual(['third']);
    expect(read('.', '!more/**').map(({ id }) => id)).toEqual(['stewards', 'others']);
    expect(read('a.yaml')[0]).toMatchObject({ state: 'ACTIVE', actors: { allUsers: false } });
    expect(read()).toEqual([]);
  });

  it('that break rules are refused with all of them, each with its place', () => {
    write('a.yaml', STEWARDS.replace('[EDIT_ENTITY]', '[FLY, EDIT_ENTITY, SWIM]').replace('METADATA', 'PLATFORM'));
    const listed = STEWARDS.trimEnd().replaceAll('\n', '\n  ');
    write('b.yaml', `- ${listed}\n- ${listed}\n- id: admin-platform\n${listed.slice(listed.indexOf('\n') + 1)}\n`);
    write('d.yaml', '- 7\n');
    write('c.yaml', 'id: [\n');
    expect(problems('.')).toEqual([
      expect.stringMatching(/^a\.yaml:4:14: privileges\[0\]: /u),
      expect.stringMatching(/^a\.yaml:4:32: privileges\[2\]: /u),
      'b.yaml:6:3: b.yaml:1:3 has a policy stewards, too',
      expect.stringMatching(/^c\.yaml:2:1: /u),
      expect.stringMatching(/^d\.yaml:1:3: \[0\]: /u),
      'b.yaml:11:3: the policy admin-platform cannot be replaced',
    ]);
  });

  it('that are not there are missed', () => {
    expect(problems('nothing.yaml')).toEqual(['POLICIES: there is no file nothing.yaml']);
    expect(problems('nowhere/*.yaml')).toEqual([expect.stringMatching(/^POLICIES: .*ENOENT/u)]);
  });
});
