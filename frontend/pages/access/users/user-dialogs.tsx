import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { Account } from '../../../../model/wire/access.ts';
import { useChange } from '../../api/use-change.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog, Dialog, DialogFooter } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { TextField } from '../../parts/fields.tsx';
import { changeUser, deleteUser, setPassword } from './user-requests.ts';

interface Props {
  readonly user: Account;
  readonly onClose: () => void;
}

export function PasswordDialog({ user, onClose }: Props) {
  const [password, setTyped] = useState('');
  const saving = useChange({
    change: () => setPassword(user.urn, { password }),
    changes: [['users']],
    done: () => `The password of ${user.username} is set.`,
    onDone: onClose,
  });
  return (
    <Dialog title={`Reset the password of ${user.username}`} onClose={onClose}>
      <Form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <TextField
          label="New password"
          hint="At least 8 characters. Hand it over by a way that others do not read."
          type="password"
          autoComplete="new-password"
          isRequired
          autoFocus
          minLength={8}
          value={password}
          onChange={setTyped}
        />
        <ErrorNotice error={saving.error} />
        <DialogFooter>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={saving.isPending}>
            Set password
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}

/** Suspends a user, or lets one in again. */
export function StateDialog({ user, onClose }: Props) {
  const isActive = user.state === 'ACTIVE';
  const saving = useChange({
    change: () => changeUser(user.urn, { state: isActive ? 'SUSPENDED' : 'ACTIVE' }),
    changes: [['users']],
    done: () => `${user.username} is ${isActive ? 'suspended' : 'active'}.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={isActive ? `Suspend ${user.username}?` : `Activate ${user.username}?`}
      action={isActive ? 'Suspend' : 'Activate'}
      isPending={saving.isPending}
      error={saving.error}
      onConfirm={() => saving.mutate()}
      onClose={onClose}
    >
      {isActive
        ? 'The user can no longer log in, and tokens of the user are no longer accepted, until the user is activated again.'
        : 'The user can log in again, and tokens of the user are accepted again.'}
    </ConfirmDialog>
  );
}

export function DeleteUser({ user, onClose }: Props) {
  const deletion = useChange({
    change: () => deleteUser(user.urn),
    changes: [['users'], ['groups']],
    done: () => `${user.username} is deleted.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={`Delete ${user.username}?`}
      action="Delete"
      isPending={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      Roles and groups of the user are forgotten. This cannot be undone. To keep somebody out for a while, suspend the
      user instead.
    </ConfirmDialog>
  );
}
