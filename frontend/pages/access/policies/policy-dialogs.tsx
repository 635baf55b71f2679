import type { ShownPolicy } from '../../../../model/wire/access.ts';
import { useChange } from '../../api/use-change.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { deletePolicy, POLICY_CHANGES, putPolicy } from './policy-requests.ts';

interface Props {
  readonly policy: ShownPolicy;
  readonly onClose: () => void;
}

/** Activates a policy, or deactivates it. */
export function SwitchPolicy({ policy, onClose }: Props) {
  const isActive = policy.state === 'ACTIVE';
  const saving = useChange({
    change: () => putPolicy({ ...policy, state: isActive ? 'INACTIVE' : 'ACTIVE' }),
    changes: POLICY_CHANGES,
    done: () => `The policy “${policy.name}” is ${isActive ? 'inactive' : 'active'}.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={isActive ? `Deactivate “${policy.name}”?` : `Activate “${policy.name}”?`}
      action={isActive ? 'Deactivate' : 'Activate'}
      isPending={saving.isPending}
      error={saving.error}
      onConfirm={() => saving.mutate()}
      onClose={onClose}
    >
      {isActive
        ? 'What it grants is refused from now on, unless another policy grants it too.'
        : 'What it grants is allowed from now on.'}
    </ConfirmDialog>
  );
}

export function DeletePolicy({ policy, onClose }: Props) {
  const deletion = useChange({
    change: () => deletePolicy(policy.id),
    changes: POLICY_CHANGES,
    done: () => `The policy “${policy.name}” is deleted.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={`Delete “${policy.name}”?`}
      action="Delete"
      isPending={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      What it grants is refused from now on, unless another policy grants it too. A default policy that was changed is
      as it was at first. This cannot be undone.
    </ConfirmDialog>
  );
}
