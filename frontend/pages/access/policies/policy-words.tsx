import { PRIVILEGES, type PrivilegeName } from '../../../../model/access/privileges.ts';
import type { ShownPolicy } from '../../../../model/wire/access.ts';
import { nameOfUrn } from '../../api/urns.ts';
import { Badge } from '../../parts/badge.tsx';

/** As people read it; a newer server may know more. */
export function labelOfPrivilege(name: string): string {
  return PRIVILEGES[name as PrivilegeName]?.label ?? name;
}

/** Whom a policy is about, in words, one for each kind of actor. */
export function actorsOf({ actors }: ShownPolicy): string[] {
  const { users, groups, roles, allUsers, resourceOwners } = actors;
  const named = (kind: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${kind}: ${names.join(', ')}`];
  return [
    ...(allUsers ? ['All users'] : []),
    ...(resourceOwners ? ['Owners of the resource'] : []),
    ...named('Roles', roles),
    ...named('Groups', groups.map(nameOfUrn)),
    ...named('Users', users.map(nameOfUrn)),
  ];
}

export function PolicyBadges({ state, origin, editable }: ShownPolicy) {
  return (
    <span className="row">
      {state === 'ACTIVE' ? <Badge kind="good">Active</Badge> : <Badge>Inactive</Badge>}
      {origin === 'default' && <Badge>Default</Badge>}
      {origin === 'file' && <Badge>From a file</Badge>}
      {!editable && <Badge kind="accent">Read-only</Badge>}
    </span>
  );
}

/** Why a policy cannot be changed here. */
export function whyReadOnly({ origin }: ShownPolicy): string {
  return origin === 'file'
    ? 'This policy comes from a file that the server was started with: change the file, and start the server anew.'
    : 'This policy stays as it is, so that somebody can always manage policies.';
}
