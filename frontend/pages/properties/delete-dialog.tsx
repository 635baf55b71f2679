import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Property } from '../catalogue/property.ts';
import { announce } from '../parts/announcer.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog, DialogFooter } from '../parts/dialog.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { TextField } from '../parts/fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { deleteProperty } from './change-property.ts';
import { describeHoldings } from './holdings.ts';
import { holdingsQuery } from './holdings-query.ts';

interface Props {
  readonly property: Property;
  readonly onClose: () => void;
}

/** Says what a hard deletion would hide, and has the name typed before it is done. */
export function DeleteDialog({ property, onClose }: Props) {
  const { urn, name, title, removed } = property;
  const [typed, setTyped] = useState('');
  const holdings = useQuery({ ...holdingsQuery(name), enabled: !removed, staleTime: 0 });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const deletion = useMutation({
    mutationFn: () => deleteProperty(urn),
    onSuccess: async () => {
      announce(`${title} is deleted. A job removes its values.`);
      await navigate({ to: '/properties' });
      queries.removeQueries({ queryKey: ['property', name] });
      queries.removeQueries({ queryKey: ['holdings', name] });
      await queries.invalidateQueries({ queryKey: ['properties'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === name) deletion.mutate();
  };
  return (
    <Dialog title={`Delete ${title}?`} kind="alert" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Notice kind="bad">
          <span role="status">
            {removed ? (
              'Whatever values it has are lost. They cannot be counted while it is soft deleted.'
            ) : holdings.data === undefined ? (
              holdings.error === null ? (
                'Counting what would be lost …'
              ) : (
                'What would be lost could not be counted.'
              )
            ) : (
              <>
                This hides <strong>{describeHoldings(holdings.data)}</strong> at once.
              </>
            )}
          </span>
          <span>There is no way back: a new property of that name starts without values.</span>
          {property.owner && (
            <span>
              The resource {property.owner.namespace}/{property.owner.name} defines it: its operator makes it anew,
              without its values.
            </span>
          )}
        </Notice>
        <TextField
          label={`Type ${name} to confirm`}
          value={typed}
          onChange={setTyped}
          autoFocus
          autoComplete="off"
          spellCheck="false"
        />
        <ErrorNotice error={deletion.error} />
        <DialogFooter>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="danger" isDisabled={typed !== name} isPending={deletion.isPending}>
            Delete for ever
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
