import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAccount } from '../../../api-server/auth/accounts.ts';
import { deletePolicy, effectivePolicies, putPolicy, readPolicy } from '../../../api-server/auth/policies.ts';
import { DEFAULT_POLICIES } from '../../../model/access/default-policies.ts';
import { policySchema } from '../../../model/access/policy.ts';
import { AUTH_ON } from '../../harness/auth.ts';
import { refusal, TestCatalog } from '../../harness/catalog.ts';

const STEWARDS = {
  name: 'Stewards',
  type: 'PLATFORM',
  privileges: ['MANAGE_POLICIES'],
  actors: { users: ['urn:li:corpuser:ada'] },
};
const FROM_FILE = policySchema.parse({ ...STEWARDS, id: 'from-file', actors: { roles: ['Steward'] } });

describe('policies', () => {
  let catalog: TestCatalog;
  beforeEach(async () => {
    const inactive = policySchema.parse({ ...defaultOf('reader-metadata'), state: 'INACTIVE' });
    catalog = await TestCatalog.open({}, { ...AUTH_ON, policies: [FROM_FILE, inactive] });
  });
  afterEach(() => catalog.close());

  async function known(parts = catalog.parts): Promise<string[]> {
    const policies = await effectivePolicies(parts, await parts.registry.view());
    return policies.map(({ id, origin, state }) => `${id} ${origin}${state === 'ACTIVE' ? '' : ` ${state}`}`);
  }

  it('are the defaults, under those of files, under what is stored', async () => {
    const before = await known();
    expect(before).toHaveLength(DEFAULT_POLICIES.length + 1);
    expect(before).toEqual(
      expect.arrayContaining(['admin-platform default', 'reader-metadata file INACTIVE', 'from-file file']),
    );
    await putPolicy(catalog.parts, 'stewards', STEWARDS);
    await putPolicy(catalog.parts, 'asset-owners', { ...defaultOf('asset-owners'), state: 'INACTIVE' });
    const after = await known();
    expect(after).toHaveLength(before.length + 1);
    expect(after).toEqual(expect.arrayContaining(['stewards stored', 'asset-owners stored INACTIVE']));
    expect(await readPolicy(catalog.parts, 'stewards')).toMatchObject({ ...STEWARDS, id: 'stewards', editable: true });
  });

  it('hold on every replica at once', async () => {
    const other = catalog.replica();
    expect(await known(other)).not.toContain('stewards stored');
    await putPolicy(catalog.parts, 'stewards', STEWARDS);
    expect(await known(other)).toContain('stewards stored');
    await deletePolicy(other, 'stewards');
    expect(await known()).not.toContain('stewards stored');
  });

  it('that every installation has are as they were when what replaced them is deleted', async () => {
    await putPolicy(catalog.parts, 'asset-owners', { ...defaultOf('asset-owners'), state: 'INACTIVE' });
    await deletePolicy(catalog.parts, 'asset-owners');
    expect(await known()).toContain('asset-owners default');
    expect(await refusal(deletePolicy(catalog.parts, 'asset-owners'))).toMatch(/make it INACTIVE instead/u);
  });

  it('that are fixed, or come from files, stay as they are', async () => {
    for (const id of ['admin-platform', 'admin-metadata', 'from-file', 'reader-metadata']) {
      const put = putPolicy(catalog.parts, id, STEWARDS);
      await expect(put).rejects.toMatchObject({ code: 'invalid', violations: [{ code: 'not-editable' }] });
      await expect(deletePolicy(catalog.parts, id)).rejects.toMatchObject({ violations: [{ code: 'not-editable' }] });
    }
  });

  it('are refused with every rule that they break', async () => {
    const put = putPolicy(catalog.parts, 'bad id!', {
      ...STEWARDS,
      privileges: ['FLY', 'MANAGE_POLICIES', 'SWIM'],
      actors: { users: ['ada'] },
      wings: 2,
    });
    await expect(put).rejects.toMatchObject({
      code: 'invalid',
      violations: expect.arrayContaining([
        expect.objectContaining({ path: 'id' }),
        expect.objectContaining({ path: 'privileges[0]' }),
        expect.objectContaining({ path: 'privileges[2]' }),
        expect.objectContaining({ path: 'actors.users[0]' }),
        expect.objectContaining({ code: 'unknown-field', field: 'wings' }),
      ]),
    });
    expect(await refusal(deletePolicy(catalog.parts, 'nothing'))).toBe('missing: There is no policy nothing.');
    expect(await refusal(readPolicy(catalog.parts, 'nothing'))).toBe('missing: There is no policy nothing.');
  });

  it('that keep the last one who can manage policies stay', async () => {
    await putPolicy(catalog.parts, 'stewards', STEWARDS);
    await createAccount(catalog.parts, { username: 'ada', password: 'a long password' });
    for (const change of [
      () => deletePolicy(catalog.parts, 'stewards'),
      () => putPolicy(catalog.parts, 'stewards', { ...STEWARDS, state: 'INACTIVE' }),
      () => putPolicy(catalog.parts, 'stewards', { ...STEWARDS, actors: { users: ['urn:li:corpuser:nobody'] } }),
      () => putPolicy(catalog.parts, 'stewards', { ...STEWARDS, privileges: ['VIEW_JOBS'] }),
    ]) {
      await expect(change()).rejects.toMatchObject({ code: 'invalid', violations: [{ code: 'last-manager' }] });
    }
    await createAccount(catalog.parts, { username: 'root', password: 'a long password', roles: ['Admin'] });
    await deletePolicy(catalog.parts, 'stewards');
  });
});

function defaultOf(id: string): object {
  const { origin: _from, editable: _is, ...policy } = DEFAULT_POLICIES.find((each) => each.id === id)!;
  return policy;
}
