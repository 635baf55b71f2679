import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../model/access/caller.ts';
import { DEFAULT_POLICIES } from '../../../model/access/default-policies.ts';
import { Grants } from '../../../model/access/grants.ts';
import { type Policy, policySchema } from '../../../model/access/policy.ts';
import { PRIVILEGE_NAMES, PRIVILEGES } from '../../../model/access/privileges.ts';
import { factsOf } from '../../../model/access/resource-facts.ts';
import { parseUrn } from '../../../model/urn.ts';

const ada: Caller = { actor: 'urn:li:corpuser:ada', groups: ['urn:li:corpGroup:makers'], roles: ['Reader'] };
const clicks = parseUrn('urn:li:dataset:(urn:li:dataPlatform:hive,logs.clicks,PROD)');
const email = parseUrn(`urn:li:schemaField:(${clicks.urn},email)`);

type Input = Partial<Parameters<typeof policySchema.parse>[0] & object>;

function policy(rest: Input): Policy {
  const base = { id: 'p', name: 'P', type: 'METADATA', privileges: ['EDIT_ENTITY'], actors: { allUsers: true } };
  return policySchema.parse({ ...base, ...rest });
}

function on(field: string, condition: string, ...values: string[]): Input {
  return { resources: { filter: [{ field, condition, values }] } };
}

function mayEdit(policies: readonly Policy[], urn = clicks, aspects = {}, caller = ada): boolean {
  return new Grants(caller, policies).holdsOn(['EDIT_ENTITY'], factsOf(urn, aspects));
}

describe('a policy is about', () => {
  it.each<[string, Input, boolean]>([
    ['everybody', { actors: { allUsers: true } }, true],
    ['a user that it names', { actors: { users: [ada.actor] } }, true],
    ['a group of the user', { actors: { groups: ['urn:li:corpGroup:makers'] } }, true],
    ['a role of the user', { actors: { roles: ['Reader'] } }, true],
    [
      'nobody else',
      { actors: { users: ['urn:li:corpuser:bob'], groups: ['urn:li:corpGroup:x'], roles: ['Admin'] } },
      false,
    ],
    ['nobody at all', { actors: {} }, false],
    ['nobody while it is inactive', { state: 'INACTIVE' }, false],
  ])('%s', (_name, rest, expected) => {
    expect(mayEdit([policy(rest)])).toBe(expected);
  });

  it('owners of the entity, themselves or by a group', () => {
    const owned = policy({ actors: { resourceOwners: true } });
    const by = (...owners: string[]) => ({ ownership: { value: { owners: owners.map((owner) => ({ owner })) } } });
    expect(mayEdit([owned])).toBe(false);
    expect(mayEdit([owned], clicks, by('urn:li:corpuser:bob', ada.actor))).toBe(true);
    expect(mayEdit([owned], clicks, by('urn:li:corpGroup:makers'))).toBe(true);
    expect(mayEdit([owned], clicks, by('urn:li:corpuser:bob'))).toBe(false);
    expect(mayEdit([owned], email, by(ada.actor))).toBe(true);
  });
});

describe('a filter lets through', () => {
  it.each<[string, Input, boolean]>([
    ['a type', on('TYPE', 'EQUALS', 'chart', 'dataset'), true],
    ['not another type', on('TYPE', 'EQUALS', 'chart'), false],
    ['a URN', on('URN', 'EQUALS', clicks.urn), true],
    ['URNs that begin so', on('URN', 'STARTS_WITH', 'urn:li:dataset:(urn:li:dataPlatform:hive,logs.'), true],
    [
      'not those that begin in another way',
      on('URN', 'STARTS_WITH', 'urn:li:dataset:(urn:li:dataPlatform:kafka'),
      false,
    ],
    ['a platform by its URN', on('PLATFORM', 'EQUALS', 'urn:li:dataPlatform:hive'), true],
    ['a platform by its name', on('PLATFORM', 'EQUALS', 'hive'), true],
    ['nothing of another platform', on('PLATFORM', 'EQUALS', 'urn:li:dataPlatform:kafka'), false],
    ['a domain', on('DOMAIN', 'EQUALS', 'urn:li:domain:shop'), true],
    ['nothing of another domain', on('DOMAIN', 'EQUALS', 'urn:li:domain:other'), false],
  ])('%s, and the schema fields of a dataset with it', (_name, filter, expected) => {
    const aspects = { domains: { value: { domains: ['urn:li:domain:shop'] } } };
    expect(mayEdit([policy(filter)], clicks, aspects)).toBe(expected);
    expect(mayEdit([policy(filter)], email, aspects)).toBe(expected);
  });

  it('what meets all criteria, and what one policy or another lets through', () => {
    const hive = { field: 'PLATFORM', values: ['hive'] };
    const charts = { field: 'TYPE', values: ['chart'] };
    expect(mayEdit([policy({ resources: { filter: [hive, charts] } })])).toBe(false);
    const either = [policy({ resources: { filter: [hive] } }), policy({ resources: { filter: [charts] } })];
    expect(mayEdit(either)).toBe(true);
  });

  it('only what it is about: it gives nothing everywhere', () => {
    const grants = new Grants(ada, [policy(on('TYPE', 'EQUALS', 'dataset'))]);
    expect(grants.holds(['EDIT_ENTITY'])).toBe(false);
    expect(grants.extentOf(['EDIT_ENTITY'])).toHaveLength(1);
    expect(grants.extentOf(['DELETE_ENTITY'])).toEqual([]);
  });
});

it('an unlimited caller holds everything', () => {
  const grants = new Grants({ ...ada, unlimited: true }, []);
  for (const name of PRIVILEGE_NAMES) expect(grants.holds([name])).toBe(true);
});

describe('by the default policies', () => {
  const held = (roles: string[]) => {
    const grants = new Grants({ actor: 'urn:li:corpuser:x', groups: [], roles }, DEFAULT_POLICIES);
    return PRIVILEGE_NAMES.filter((name) => grants.holds([name]));
  };

  it('an administrator holds every privilege', () => {
    expect(held(['Admin'])).toEqual(PRIVILEGE_NAMES);
  });

  it('everybody sees all, and makes own tokens; nobody changes anything without a role', () => {
    const names = held([]);
    expect(names).toContain('GENERATE_PERSONAL_ACCESS_TOKENS');
    expect(names).toContain('VIEW_ENTITY_PAGE');
    expect(names.filter((name) => /^(?:MANAGE|EDIT|CREATE|DELETE|IMPORT|EXPORT)/u.test(name))).toEqual([]);
  });

  it('an editor changes metadata, and neither deletes it nor gives rights', () => {
    const names = held(['Editor']);
    expect(names).toEqual(expect.arrayContaining(['EDIT_ENTITY', 'MANAGE_STRUCTURED_PROPERTIES']));
    for (const name of [
      'DELETE_ENTITY',
      'MANAGE_POLICIES',
      'MANAGE_USERS_AND_GROUPS',
      'MANAGE_ACCESS_TOKENS',
    ] as const) {
      expect(names).not.toContain(name);
    }
  });
});

describe('a policy is refused', () => {
  const messages = (rest: Input) => {
    const base = { id: 'p', name: 'P', type: 'METADATA', privileges: ['EDIT_ENTITY'], actors: {} };
    return policySchema.safeParse({ ...base, ...rest }).error?.issues.map(({ path }) => path.join('.'));
  };

  it('for each privilege that there is not, or that is of the other type', () => {
    expect(messages({ privileges: ['EDIT_ENTITY', 'FLY', 'WALK'] })).toEqual(['privileges.1', 'privileges.2']);
    expect(messages({ privileges: ['MANAGE_POLICIES'] })).toEqual(['privileges.0']);
  });

  it('for resources and owners where it is about the platform', () => {
    const rest = { type: 'PLATFORM', privileges: ['MANAGE_POLICIES'], actors: { resourceOwners: true } };
    expect(messages({ ...rest, ...on('TYPE', 'EQUALS', 'dataset') })).toEqual(['resources', 'actors.resourceOwners']);
  });

  it('for actors that are no URNs of users and groups', () => {
    expect(messages({ actors: { users: ['ada', 'urn:li:corpGroup:x'], groups: ['urn:li:corpuser:ada'] } })).toEqual([
      'actors.users.0',
      'actors.users.1',
      'actors.groups.0',
    ]);
  });
});

it('every privilege has a label of its own', () => {
  const labels = Object.values(PRIVILEGES).map(({ label }) => label);
  expect(new Set(labels).size).toBe(labels.length);
});
