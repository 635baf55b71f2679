import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { HeldDeletions } from '../../../model/wire/resource-record.ts';
import { holds, useMe } from '../api/me.ts';
import { useChange } from '../api/use-change.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Notice } from '../parts/notice.tsx';
import { confirmDeletions, heldDeletionsQuery } from './resources-query.ts';
import './held-deletions.css';

/** Deletions that an operator does not dare to carry out before a person says so. */
export function HeldDeletionsNotice() {
  const mayConfirm = holds(useMe(), 'MANAGE_RESOURCES');
  const { data: held = [] } = useQuery(heldDeletionsQuery);
  const [asked, setAsked] = useState<HeldDeletions>();
  return (
    <>
      {held.map((set) => (
        <Notice
          key={set.source}
          kind="warn"
          title={`${counted(set)} of the source ${set.source} ${set.resources.length === 1 ? 'waits' : 'wait'} for you`}
        >
          <ul className="held">
            {set.resources.map(({ kind, namespace, name, reason, confirmed }) => (
              <li key={`${kind}/${namespace}/${name}`}>
                <strong>
                  {kind} {namespace}/{name}
                </strong>
                : {confirmed ? 'confirmed, under way' : reason}
              </li>
            ))}
          </ul>
          <span>
            {set.confirmed ? (
              'All of them are confirmed.'
            ) : (
              <Button isDisabled={!mayConfirm} onPress={() => setAsked(set)}>
                Confirm …
              </Button>
            )}
          </span>
        </Notice>
      ))}
      {asked !== undefined && <ConfirmHeld set={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function ConfirmHeld({ set, onClose }: { readonly set: HeldDeletions; readonly onClose: () => void }) {
  const confirm = useChange({
    change: () => confirmDeletions(set.source, set.id),
    changes: [heldDeletionsQuery.queryKey, ['resources']],
    done: () => 'Confirmed. The operator carries the deletions out.',
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={`Let ${counted(set)} happen?`}
      action="Delete"
      isPending={confirm.isPending}
      error={confirm.error}
      onConfirm={() => confirm.mutate()}
      onClose={onClose}
    >
      <p>
        The manifests of these resources are gone. What each has defined or assigned is deleted as its deletion policy
        says. If they are missing by mistake, bring them back instead.
      </p>
      <ul className="held">
        {set.resources.map(({ kind, namespace, name }) => (
          <li key={`${kind}/${namespace}/${name}`}>
            {kind} {namespace}/{name}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

function counted({ resources }: HeldDeletions): string {
  return resources.length === 1 ? '1 deletion' : `${resources.length} deletions`;
}
