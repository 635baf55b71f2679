import { userUrnSchema } from '../../model/access/actor-urn.ts';
import { checkShape } from '../../model/shape.ts';
import { MAX_PASSWORD_LENGTH, type PasswordChange, passwordChangeSchema } from '../../model/wire/access.ts';
import { refusedBy, valid } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { ACCOUNTS, type AccountRecord } from './account-record.ts';
import { changeAccountRecord, missingUser, putPassword } from './accounts.ts';
import { countLogin } from './login-throttle.ts';

/** Somebody who says a password. */
export interface Login {
  /** URN. */
  readonly user: string;
  readonly password: string;
  /** Of the client, as far as it is known. */
  readonly address?: string | undefined;
}

/**
 * Whether a password is right. A user who does not exist, one without a password, and a wrong password are one: the same
 * answer after the same work. Whether the user may log in is another matter.
 * @throws ThrottledError before anything is looked at; CatalogError `unavailable` when too many ask.
 */
export async function isRightPassword(parts: CatalogParts, login: Login): Promise<boolean> {
  const isRight = await compare(parts, login);
  if (!isRight) {
    const { user: actor, address } = login;
    parts.auth.audit.note({
      actor,
      action: 'logIn',
      outcome: 'refused',
      ...(address === undefined ? {} : { address }),
    });
  }
  return isRight;
}

/**
 * Gives a user another password; all sessions of the user end.
 * @param isOwn the user asks, and has to know the old one. Who has none cannot give himself one.
 * @throws CatalogError `invalid` naming every violated rule, `missing`; ThrottledError.
 */
export async function setPassword(
  parts: CatalogParts,
  user: string,
  wanted: PasswordChange,
  { isOwn, address }: { readonly isOwn: boolean; readonly address?: string | undefined },
): Promise<void> {
  const { password, oldPassword = '' } = valid(checkShape(passwordChangeSchema, wanted));
  if (isOwn && !(await compare(parts, { user, password: oldPassword, address }))) {
    throw refusedBy('wrong-password', 'The old password is not right.');
  }
  await putPassword(parts, user, await parts.auth.passwords.hash(password));
}

async function compare(parts: CatalogParts, { user, password, address }: Login): Promise<boolean> {
  const { auth, store } = parts;
  const attempt = await countLogin(parts, { user, address });
  // Not by the registry view: it would remember every name that is tried.
  const isUser = userUrnSchema.safeParse(user).success;
  const stored = isUser ? (await store.records.get<AccountRecord>(ACCOUNTS, user))?.body.password : undefined;
  // One that is too long is not right, however much of it is compared.
  if (!(await auth.passwords.isRight(password.slice(0, MAX_PASSWORD_LENGTH + 1), stored))) return false;
  await attempt.succeeded();
  if (stored !== undefined && auth.passwords.isOutdated(stored)) {
    const hashed = await auth.passwords.hash(password);
    await changeAccountRecord(parts, user, (standing) => {
      if (standing === undefined) throw missingUser(user);
      return standing.password?.hash === stored.hash ? { ...standing, password: hashed } : standing;
    });
  }
  return true;
}
