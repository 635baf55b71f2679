import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { userUrnOf } from '../../model/access/actor-urn.ts';
import { MIN_PASSWORD_LENGTH } from '../../model/wire/access.ts';
import { keptText } from '../../process/private-files.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import type { ApiServerConfig } from '../config.ts';
import { changeAccountRecord, newAccount } from './accounts.ts';
import { isSomebodyManager } from './managers.ts';

export interface FirstAdministrator {
  readonly username: string;
  /** That nobody has chosen: for a person at the screen, once. */
  readonly password?: string;
  /** Where it is kept. */
  readonly file?: string;
}

type AdministratorSettings = Pick<ApiServerConfig, 'ADMIN_USER' | 'ADMIN_PASSWORD' | 'DATA_DIR'>;

/**
 * While nobody can log in who may manage policies, `ADMIN_USER` is made, or made so again: active, with the role Admin and
 * the password `ADMIN_PASSWORD`, or one that is kept in `DATA_DIR/admin-password`. Later starts change nothing: whoever
 * deletes this user, or changes the password, has it so.
 * @returns what was made; `undefined`: nothing had to be.
 */
export async function ensureAdministrator(
  parts: CatalogParts,
  { ADMIN_USER: username, ADMIN_PASSWORD, DATA_DIR }: AdministratorSettings,
): Promise<FirstAdministrator | undefined> {
  if (await isSomebodyManager(parts)) return undefined;
  const file = join(DATA_DIR, 'admin-password');
  const password = ADMIN_PASSWORD ?? keptText(file, () => `${randomBytes(15).toString('base64url')}\n`).trim();
  if (password.length < MIN_PASSWORD_LENGTH) {
    parts.log.warn(`ADMIN_PASSWORD is shorter than ${MIN_PASSWORD_LENGTH} characters: choose a longer one`);
  }
  const hashed = await parts.auth.passwords.hash(password);
  const made = await changeAccountRecord(parts, userUrnOf(username), (standing) => {
    const account = standing ?? newAccount(parts, username, {});
    // Another replica, which starts at the same time.
    if (account.roles.includes('Admin') && account.state === 'ACTIVE' && account.password !== undefined) return account;
    return { ...account, state: 'ACTIVE', roles: [...new Set([...account.roles, 'Admin'])], password: hashed };
  });
  if (made.password !== hashed) return undefined;
  return ADMIN_PASSWORD === undefined ? { username, password, file } : { username };
}
