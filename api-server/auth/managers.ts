import { Grants } from '../../model/access/grants.ts';
import type { Policy } from '../../model/access/policy.ts';
import { refusedBy } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { allRecords } from '../store/pages.ts';
import { ACCOUNTS, type AccountRecord } from './account-record.ts';
import { callerOf } from './stored-token.ts';

/** Those who change who may do what wait for one another: each looks at what the one before has left. */
export function inTurn<T>({ turns }: CatalogParts, work: () => Promise<T>): Promise<T> {
  return turns.run('access', work);
}

/** What is to be changed. */
export interface AccessChange {
  /** The policies that are to hold; those that do when absent. */
  readonly policies?: readonly Policy[];
  /** What an account is to become; `undefined`: it is deleted. */
  readonly account?: (account: AccountRecord) => AccountRecord | undefined;
}

/**
 * Somebody has to stay who can log in and may manage policies, or nobody could ever mend what a change has done. Where
 * there is nobody yet, everything goes. Two replicas that take the last two managers away at one time are not kept from
 * it; the next start makes the first administrator anew then.
 * @throws CatalogError `invalid` (`last-manager`).
 */
export async function demandManager(parts: CatalogParts, change: AccessChange): Promise<void> {
  const now = await policiesOf(parts);
  const then = change.policies ?? now;
  const { account: changed = (account) => account } = change;
  let isSomebody = false;
  for await (const { body } of allRecords<AccountRecord>(parts.store, ACCOUNTS)) {
    const after = changed(body);
    if (after !== undefined && manages(after, then)) return;
    isSomebody ||= manages(body, now);
  }
  if (!isSomebody) return;
  throw refusedBy(
    'last-manager',
    'Nobody who can log in would be left who may manage policies. Give somebody else the role Admin first.',
  );
}

/** Whether there is somebody who can log in and may manage policies. */
export async function isSomebodyManager(parts: CatalogParts): Promise<boolean> {
  const policies = await policiesOf(parts);
  for await (const { body } of allRecords<AccountRecord>(parts.store, ACCOUNTS)) {
    if (manages(body, policies)) return true;
  }
  return false;
}

async function policiesOf({ auth, registry }: CatalogParts): Promise<readonly Policy[]> {
  return auth.policies.effective(await registry.view());
}

function manages(account: AccountRecord, policies: readonly Policy[]): boolean {
  const canLogIn = account.state === 'ACTIVE' && (account.password !== undefined || account.isProvided);
  return canLogIn && new Grants(callerOf(account.urn, account), policies).holds(['MANAGE_POLICIES']);
}
