import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { type Policy, policySchema } from '../../../model/access/policy.ts';
import { policyEntry, readPolicyTexts } from '../../../model/access/policy-file.ts';
import { privilegesOf } from '../../../model/access/privileges.ts';

const word = fc.stringMatching(/^[a-z]{1,8}$/u);
const text = fc.string({ minLength: 1, maxLength: 20 });
const urns = (type: string) =>
  fc.array(
    word.map((name) => `urn:li:${type}:${name}`),
    { maxLength: 2 },
  );
const flag = fc.boolean();
const criterion = fc.record({
  field: fc.constantFrom('TYPE', 'URN', 'PLATFORM', 'DOMAIN'),
  condition: fc.constantFrom('EQUALS', 'STARTS_WITH'),
  values: fc.array(text, { minLength: 1, maxLength: 2 }),
});
const actors = { users: urns('corpuser'), groups: urns('corpGroup'), roles: fc.array(word), allUsers: flag };
const common = {
  id: word,
  name: text,
  description: fc.string({ maxLength: 20 }),
  state: fc.constantFrom('ACTIVE', 'INACTIVE'),
};
const metadata = fc.record({
  ...common,
  type: fc.constant('METADATA'),
  privileges: fc.uniqueArray(fc.constantFrom(...privilegesOf('METADATA')), { minLength: 1 }),
  actors: fc.record({ ...actors, resourceOwners: flag }),
  resources: fc.option(fc.record({ filter: fc.array(criterion, { minLength: 1, maxLength: 2 }) }), { nil: undefined }),
});
const platform = fc.record({
  ...common,
  type: fc.constant('PLATFORM'),
  privileges: fc.uniqueArray(fc.constantFrom(...privilegesOf('PLATFORM')), { minLength: 1 }),
  actors: fc.record(actors),
});
const policy = fc.oneof(metadata, platform).map((input): Policy => policySchema.parse(input));

describe('policies in files', () => {
  it('are read as they were written, as a list, or as documents of several files', () => {
    fc.assert(
      fc.property(fc.uniqueArray(policy, { selector: ({ id }) => id, maxLength: 4 }), (policies) => {
        const list = [{ name: 'list', text: stringify(policies.map(policyEntry)) }];
        const documents = {
          name: 'documents',
          text: policies.map((one) => `---\n${stringify(policyEntry(one))}`).join(''),
        };
        for (const files of [list, [{ name: 'empty', text: '# nothing\n' }, documents]]) {
          const read = readPolicyTexts(files);
          expect([read.policies.map((one) => one.policy), read.mistakes]).toEqual([policies, []]);
        }
      }),
    );
  });

  it('have their place, by file, line and column', () => {
    const one = (id: string) =>
      `{ id: ${id}, name: N, type: PLATFORM, privileges: [VIEW_JOBS], actors: { allUsers: true } }`;
    const { policies, mistakes } = readPolicyTexts([
      { name: 'a', text: `- ${one('x')}\n- ${one('y')}\n---\n${one('z')}\n` },
      { name: 'b', text: `- ${one('q')}\n-   ${one('z')}\n` },
    ]);
    expect(policies.map(({ policy: { id }, place }) => [id, place])).toEqual([
      ...[
        ['x', 'a:1:5'],
        ['y', 'a:2:5'],
        ['z', 'a:4:3'],
        ['q', 'b:1:5'],
      ],
    ]);
    expect(mistakes).toEqual(['b:2:7: a:4:3 has a policy z, too']);
  });

  it('that break rules are named by the place of what is wrong, in lists and alone', () => {
    const { mistakes } = readPolicyTexts([
      { name: 'list', text: '- id: x\n  name: N\n  type: PLATFORM\n  privileges: [FLY]\n  actors: {}\n  extra: 1\n' },
      { name: 'alone', text: 'id: x\nname: N\ntype: PLATFORM\nprivileges: [FLY]\nactors: {}\nextra: 1\n' },
      { name: 'text', text: 'hello\n' },
      { name: 'broken', text: 'a: [\n' },
    ]);
    expect(mistakes).toEqual([
      'list:4:16: [0].privileges[0]: "FLY" is no privilege',
      'list:6:3: [0]: unknown field "extra"',
      'alone:4:14: privileges[0]: "FLY" is no privilege',
      'alone:6:1: unknown field "extra"',
      expect.stringMatching(/^text:1:1: Invalid input/u),
      expect.stringMatching(/^broken:2:1: /u),
    ]);
  });
});
