import { ACCOUNTS, type AccountRecord } from '../../api-server/auth/account-record.ts';
import type { CatalogParts } from '../../api-server/catalog/parts.ts';
import { type RegistryView, recordKey } from '../../api-server/catalog/registry/registry.ts';
import { changeRecord } from '../../api-server/store/change-record.ts';
import { userNameOf } from '../../model/access/actor-urn.ts';

/** Makes an account as tests want it, or changes one, whatever the rules are. */
export async function putAccount(
  { store, registry }: CatalogParts,
  urn: string,
  changes: Partial<AccountRecord> = {},
): Promise<AccountRecord> {
  const fresh: AccountRecord = {
    urn,
    username: userNameOf(urn),
    incarnation: 'one',
    sessionEpoch: 'one',
    state: 'ACTIVE',
    roles: [],
    groups: [],
    providedGroups: [],
    isProvided: false,
    created: 0,
  };
  const place = { kind: ACCOUNTS, id: urn };
  return registry.change([recordKey(ACCOUNTS, urn)], () =>
    changeRecord(store.records, place, (standing: AccountRecord | undefined) => ({
      ...fresh,
      ...standing,
      ...changes,
    })),
  );
}

/** The view of a catalogue in which nobody has an account. */
export const NO_ACCOUNTS = { record: async () => undefined } as unknown as RegistryView;
