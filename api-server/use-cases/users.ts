import { type PrivilegeName, privilegesOf } from '../../model/access/privileges.ts';
import type { Me } from '../../model/wire/access.ts';
import { grantsOf } from '../access/permission.ts';
import { accountOf } from '../auth/account-record.ts';
import type { CatalogRequest } from '../catalog/request.ts';

/** Users and groups, each use case with what it needs. */

/** Those of type PLATFORM that the caller holds. */
export async function heldPrivileges(request: CatalogRequest): Promise<PrivilegeName[]> {
  const grants = await grantsOf(request);
  return privilegesOf('PLATFORM').filter((name) => grants.holds([name]));
}

/** Whoever asks may know who that is. */
export async function me(request: CatalogRequest): Promise<Me> {
  const { actor, by, roles, groups } = request.caller;
  const account = await accountOf(await request.registry(), actor);
  const name = actor.slice('urn:li:corpuser:'.length);
  return {
    actor,
    displayName: account?.displayName ?? name,
    by,
    roles: [...roles],
    groups: [...groups],
    privileges: await heldPrivileges(request),
    authEnabled: request.parts.auth.enabled,
  };
}
