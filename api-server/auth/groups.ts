import { groupUrnOf } from '../../model/access/actor-urn.ts';
import { checkShape } from '../../model/shape.ts';
import {
  type Group,
  type GroupChange,
  groupChangeSchema,
  type NewGroup,
  newGroupSchema,
} from '../../model/wire/access.ts';
import { CatalogError, refusedBy, valid } from '../catalog/errors.ts';
import type { CatalogParts } from '../catalog/parts.ts';
import { type RegistryView, recordKey } from '../catalog/registry/registry.ts';
import { changeRecord } from '../store/change-record.ts';
import { allRecords } from '../store/pages.ts';
import { ACCOUNTS, type AccountRecord, groupsOf } from './account-record.ts';
import { removeRecord } from './expiring.ts';
import { demandManager, inTurn } from './managers.ts';

/** Groups of users. Their records are changed by `Registry.change` only; the id is the URN. */
const GROUPS = 'group';

/** Accounts that are changed in one step. */
const AT_ONCE = 500;

interface GroupRecord {
  readonly urn: string;
  readonly name: string;
  readonly description?: string;
}

export function groupOf(registry: RegistryView, urn: string): Promise<GroupRecord | undefined> {
  return registry.record<GroupRecord>(GROUPS, urn);
}

/** A page of groups in the order of their URNs, behind the URN `after`. */
export async function listGroups(
  { store }: CatalogParts,
  { count, after }: { readonly count: number; readonly after?: string | undefined },
): Promise<{ readonly groups: Group[]; readonly next?: string }> {
  const found: GroupRecord[] = [];
  for await (const { body } of allRecords<GroupRecord>(store, GROUPS, after)) {
    found.push(body);
    if (found.length > count) break;
  }
  const members = new Map<string, number>();
  for await (const { body } of allRecords<AccountRecord>(store, ACCOUNTS)) {
    for (const group of groupsOf(body)) members.set(group, (members.get(group) ?? 0) + 1);
  }
  const page = found.slice(0, count);
  const groups = page.map((group) => ({ ...group, members: members.get(group.urn) ?? 0 }));
  const last = page.at(-1);
  return found.length > count && last !== undefined ? { groups, next: last.urn } : { groups };
}

/** @throws CatalogError `invalid` naming every violated rule. */
export async function createGroup(parts: CatalogParts, wanted: NewGroup): Promise<Group> {
  const group = valid(checkShape(newGroupSchema, wanted));
  const made = await changeGroupRecord(parts, groupUrnOf(group.name), (standing) => {
    if (standing !== undefined) throw refusedBy('already-exists', `There is a group ${group.name} already.`);
    return { urn: groupUrnOf(group.name), ...group };
  });
  return { ...made, members: 0 };
}

/** @throws CatalogError `missing`; `invalid` naming every violated rule. */
export async function changeGroup(parts: CatalogParts, urn: string, wanted: GroupChange): Promise<Group> {
  const change = valid(checkShape(groupChangeSchema, wanted));
  const group = await changeGroupRecord(parts, urn, (standing) => {
    if (standing === undefined) throw missingGroup(urn);
    return { ...standing, ...change };
  });
  return { ...group, members: (await membersOf(parts, urn)).length };
}

/** Makes those of the groups that there are not. */
export async function ensureGroups(parts: CatalogParts, names: readonly string[]): Promise<void> {
  const view = await parts.registry.view();
  for (const name of names) {
    const urn = groupUrnOf(name);
    if ((await groupOf(view, urn)) === undefined) {
      await changeGroupRecord(parts, urn, (standing) => standing ?? { urn, name });
    }
  }
}

/** Nobody is in the group any more when it returns, also not in a new one of its name. @throws CatalogError `missing`, `invalid`. */
export async function deleteGroup(parts: CatalogParts, urn: string): Promise<void> {
  const { registry, store } = parts;
  const without = (account: AccountRecord): AccountRecord => ({
    ...account,
    groups: account.groups.filter((group) => group !== urn),
    providedGroups: account.providedGroups.filter((group) => group !== urn),
  });
  await inTurn(parts, async () => {
    if ((await groupOf(await registry.view(), urn)) === undefined) throw missingGroup(urn);
    await demandManager(parts, { account: without });
    const members = await membersOf(parts, urn);
    for (let start = 0; start < members.length; start += AT_ONCE) {
      const some = members.slice(start, start + AT_ONCE);
      await registry.change(
        some.map((member) => recordKey(ACCOUNTS, member)),
        async () => {
          for (const id of some) {
            await changeRecord(store.records, { kind: ACCOUNTS, id }, (standing: AccountRecord | undefined) =>
              standing === undefined ? undefined : without(standing),
            );
          }
        },
      );
    }
    await registry.change([recordKey(GROUPS, urn)], () => removeRecord(store.records, GROUPS, urn));
  });
}

/** URNs of the users in a group. */
async function membersOf({ store }: CatalogParts, urn: string): Promise<string[]> {
  const members: string[] = [];
  for await (const { body } of allRecords<AccountRecord>(store, ACCOUNTS)) {
    if (groupsOf(body).includes(urn)) members.push(body.urn);
  }
  return members;
}

function changeGroupRecord(
  { registry, store }: CatalogParts,
  urn: string,
  next: (standing: GroupRecord | undefined) => GroupRecord,
): Promise<GroupRecord> {
  return registry.change([recordKey(GROUPS, urn)], () => changeRecord(store.records, { kind: GROUPS, id: urn }, next));
}

function missingGroup(urn: string): CatalogError {
  return new CatalogError('missing', `There is no group ${urn}.`);
}
