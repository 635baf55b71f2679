import { useQuery } from '@tanstack/react-query';
import { ROLES } from '../../../../model/access/roles.ts';
import type { ShownPolicy } from '../../../../model/wire/access.ts';
import { holds, useMe } from '../../api/me.ts';
import { groupUrnOf, userUrnOf } from '../../api/urns.ts';
import { CheckboxesField, CheckboxField } from '../../parts/fields.tsx';
import { TextsField } from '../../parts/texts-field.tsx';
import { groupsQuery } from '../users/user-requests.ts';

type Actors = ShownPolicy['actors'];

interface Props {
  readonly value: Actors;
  readonly onChange: (value: Actors) => void;
  /** Owners are meant only where there are resources. */
  readonly hasResources: boolean;
}

/** Whom a policy grants to: anybody of these. */
export function ActorsField({ value, onChange, hasResources }: Props) {
  // Whoever manages policies need not be able to see groups.
  const enabled = holds(useMe(), 'MANAGE_USERS_AND_GROUPS');
  const { data: groups = [] } = useQuery({ ...groupsQuery, enabled });
  const change = (part: Partial<Actors>) => onChange({ ...value, ...part });
  return (
    <div className="stack">
      <CheckboxField
        label="All users"
        hint="Everybody who is signed in"
        isSelected={value.allUsers}
        onChange={(allUsers) => change({ allUsers })}
      />
      {hasResources && (
        <CheckboxField
          label="Owners of the resource"
          hint="On each entity, those whom its ownership names"
          isSelected={value.resourceOwners}
          onChange={(resourceOwners) => change({ resourceOwners })}
        />
      )}
      <CheckboxesField
        label="Roles"
        value={value.roles}
        onChange={(roles) => change({ roles: [...roles] })}
        options={[...new Set([...ROLES, ...value.roles])].map((role) => ({ value: role, label: role }))}
      />
      <TextsField
        label="Groups"
        hint="A name, or a URN"
        value={value.groups}
        onChange={(texts) => change({ groups: [...texts] })}
        suggestions={groups.map(({ urn }) => urn)}
        complete={groupUrnOf}
      />
      <TextsField
        label="Users"
        hint="A name, or a URN"
        value={value.users}
        onChange={(texts) => change({ users: [...texts] })}
        complete={userUrnOf}
      />
    </div>
  );
}
