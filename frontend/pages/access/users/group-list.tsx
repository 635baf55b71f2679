import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import type { Group } from '../../../../model/wire/access.ts';
import { useChange } from '../../api/use-change.ts';
import { ActionsMenu } from '../../parts/actions-menu.tsx';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ConfirmDialog, Dialog, DialogFooter } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Section } from '../../parts/page.tsx';
import { createGroup, deleteGroup, describeGroup, groupsQuery } from './user-requests.ts';

type Opened = { readonly what: 'new' } | { readonly what: 'edit' | 'delete'; readonly group: Group };

export function GroupList() {
  const [opened, open] = useState<Opened>();
  const { data, error, refetch } = useQuery(groupsQuery);
  const close = () => open(undefined);
  return (
    <Section
      title="Groups"
      actions={
        <Button look="primary" onPress={() => open({ what: 'new' })}>
          Create group
        </Button>
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <DataTable
          label="Groups"
          columns={[...COLUMNS, actionsColumn(open)]}
          rows={data}
          keyOf={({ urn }) => urn}
          empty="There are no groups yet."
        />
      )}
      {opened?.what === 'new' && <GroupForm onClose={close} />}
      {opened?.what === 'edit' && <GroupForm group={opened.group} onClose={close} />}
      {opened?.what === 'delete' && <DeleteGroup group={opened.group} onClose={close} />}
    </Section>
  );
}

interface FormProps {
  /** Absent: a new one is made. */
  readonly group?: Group;
  readonly onClose: () => void;
}

function GroupForm({ group, onClose }: FormProps) {
  const [name, setName] = useState(group?.name ?? '');
  const [description, setDescription] = useState(group?.description ?? '');
  const saving = useChange({
    change: () => {
      const described = description.trim();
      if (group !== undefined) return describeGroup(group.urn, described);
      return createGroup({ name: name.trim(), ...(described === '' ? {} : { description: described }) });
    },
    changes: [['groups']],
    done: () => `The group ${name.trim()} is ${group === undefined ? 'created' : 'changed'}.`,
    onDone: onClose,
  });
  return (
    <Dialog title={group === undefined ? 'Create group' : `Edit ${group.name}`} onClose={onClose}>
      <Form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        {group === undefined && (
          <TextField
            label="Name"
            hint="It stays: it is part of the URN."
            isRequired
            autoFocus
            maxLength={100}
            value={name}
            onChange={setName}
          />
        )}
        <TextField label="Description" rows={3} maxLength={2000} value={description} onChange={setDescription} />
        <ErrorNotice error={saving.error} />
        <DialogFooter>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={saving.isPending}>
            {group === undefined ? 'Create' : 'Save'}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}

function DeleteGroup({ group, onClose }: { readonly group: Group; readonly onClose: () => void }) {
  const deletion = useChange({
    change: () => deleteGroup(group.urn),
    changes: [['groups'], ['users']],
    done: () => `The group ${group.name} is deleted.`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      title={`Delete the group ${group.name}?`}
      action="Delete"
      isPending={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      Its members lose what policies grant to the group. This cannot be undone.
    </ConfirmDialog>
  );
}

const COLUMNS: readonly Column<Group>[] = [
  { title: 'Group', cell: ({ name }) => name },
  { title: 'Description', cell: ({ description }) => description },
  { title: 'Members', kind: 'number', cell: ({ members }) => members },
];

function actionsColumn(open: (opened: Opened) => void): Column<Group> {
  return {
    title: 'Actions',
    kind: 'actions',
    cell: (group) => (
      <ActionsMenu
        of={group.name}
        actions={[
          { label: 'Edit', onAction: () => open({ what: 'edit', group }) },
          { label: 'Delete', onAction: () => open({ what: 'delete', group }) },
        ]}
      />
    ),
  };
}
