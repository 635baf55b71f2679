import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { ROLES } from '../../../../model/access/roles.ts';
import type { Account } from '../../../../model/wire/access.ts';
import { nameOfUrn } from '../../api/urns.ts';
import { useChange } from '../../api/use-change.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogFooter } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { CheckboxesField, TextField } from '../../parts/fields.tsx';
import { changeUser, createUser, groupsQuery } from './user-requests.ts';

interface Props {
  /** Absent: a new one is made. */
  readonly user?: Account;
  readonly onClose: () => void;
}

export function UserForm({ user, onClose }: Props) {
  const [username, setUsername] = useState(user?.username ?? '');
  const [password, setPassword] = useState('');
  const [displayName, setDisplayName] = useState(user?.displayName ?? '');
  const [email, setEmail] = useState(user?.email ?? '');
  const [roles, setRoles] = useState<readonly string[]>(user?.roles ?? ['Reader']);
  const [groups, setGroups] = useState<readonly string[]>(user?.groups ?? []);
  const known = useQuery(groupsQuery);
  const saving = useChange({
    change: () => {
      const sent = {
        ...(displayName.trim() === '' ? {} : { displayName: displayName.trim() }),
        ...(email.trim() === '' ? {} : { email: email.trim() }),
        roles: [...roles],
        groups: [...groups],
      };
      if (user !== undefined) return changeUser(user.urn, sent);
      return createUser({ username: username.trim(), ...(password === '' ? {} : { password }), ...sent });
    },
    changes: [['users'], ['groups'], ['me']],
    done: () => (user === undefined ? `${username.trim()} is created.` : `${username} is changed.`),
    onDone: onClose,
  });
  const groupUrns = [...new Set([...(known.data?.map(({ urn }) => urn) ?? []), ...groups])];
  return (
    <Dialog title={user === undefined ? 'Create user' : `Edit ${user.username}`} onClose={onClose}>
      <Form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        {user === undefined && (
          <>
            <TextField
              label="User name"
              hint="It stays: it is part of the URN."
              isRequired
              autoFocus
              autoComplete="off"
              maxLength={100}
              value={username}
              onChange={setUsername}
            />
            <TextField
              label="Password"
              hint="At least 8 characters. Leave it empty for somebody who signs in elsewhere."
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={setPassword}
            />
          </>
        )}
        <TextField label="Display name" maxLength={200} value={displayName} onChange={setDisplayName} />
        <TextField label="E-mail" type="email" maxLength={320} value={email} onChange={setEmail} />
        <CheckboxesField
          label="Roles"
          value={roles}
          onChange={setRoles}
          options={[...new Set([...ROLES, ...roles])].map((role) => ({ value: role, label: role }))}
        />
        {groupUrns.length > 0 && (
          <CheckboxesField
            label="Groups"
            value={groups}
            onChange={setGroups}
            options={groupUrns.map((urn) => ({ value: urn, label: nameOfUrn(urn) }))}
          />
        )}
        <ErrorNotice error={saving.error ?? known.error} />
        <DialogFooter>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={saving.isPending}>
            {user === undefined ? 'Create' : 'Save'}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
