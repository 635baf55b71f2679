import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account } from '../../../../model/wire/access.ts';
import { nameOfUrn } from '../../api/urns.ts';
import { ActionsMenu } from '../../parts/actions-menu.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Moment } from '../../parts/moment.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Section } from '../../parts/page.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { DeleteUser, PasswordDialog, StateDialog } from './user-dialogs.tsx';
import { UserForm } from './user-form.tsx';
import { usersQuery } from './user-requests.ts';

type Opened =
  | { readonly what: 'new' }
  | { readonly what: 'edit' | 'password' | 'state' | 'delete'; readonly user: Account };

export function UserList({ query }: { readonly query: string }) {
  const [opened, open] = useState<Opened>();
  const navigate = useNavigate();
  const pages = useInfiniteQuery(usersQuery(query));
  const { data, error, refetch } = pages;
  const search = (text: string) => void navigate({ to: '/settings/users', search: text === '' ? {} : { query: text } });
  return (
    <Section
      title="Users"
      actions={
        <Button look="primary" onPress={() => open({ what: 'new' })}>
          Create user
        </Button>
      }
    >
      <div className="filters">
        <SearchField label="Find users" placeholder="Name or e-mail" value={query} onSearch={search} />
      </div>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <DataTable
          label="Users"
          columns={[...COLUMNS, actionsColumn(open)]}
          rows={data.pages.flatMap(({ users }) => users)}
          keyOf={({ urn }) => urn}
          empty={query === '' ? 'There are no users yet.' : 'No user is found by this text.'}
        />
      )}
      <MoreButton pages={pages} />
      {opened !== undefined && <OpenedDialog opened={opened} onClose={() => open(undefined)} />}
    </Section>
  );
}

function OpenedDialog({ opened, onClose }: { readonly opened: Opened; readonly onClose: () => void }) {
  switch (opened.what) {
    case 'new':
      return <UserForm onClose={onClose} />;
    case 'edit':
      return <UserForm user={opened.user} onClose={onClose} />;
    case 'password':
      return <PasswordDialog user={opened.user} onClose={onClose} />;
    case 'state':
      return <StateDialog user={opened.user} onClose={onClose} />;
    case 'delete':
      return <DeleteUser user={opened.user} onClose={onClose} />;
  }
}

const COLUMNS: readonly Column<Account>[] = [
  {
    title: 'User',
    cell: ({ username, displayName }) =>
      displayName === undefined ? (
        username
      ) : (
        <div>
          {displayName}
          <div className="quiet">{username}</div>
        </div>
      ),
  },
  { title: 'Roles', cell: ({ roles }) => roles.join(', ') },
  { title: 'Groups', cell: ({ groups }) => groups.map(nameOfUrn).join(', ') },
  {
    title: 'State',
    cell: ({ state, hasPassword }) => (
      <span className="row">
        {state === 'ACTIVE' ? <Badge kind="good">Active</Badge> : <Badge kind="warn">Suspended</Badge>}
        {!hasPassword && <Badge>No password</Badge>}
      </span>
    ),
  },
  { title: 'Last login', cell: ({ lastLogin }) => (lastLogin === undefined ? 'Never' : <Moment at={lastLogin} />) },
];

function actionsColumn(open: (opened: Opened) => void): Column<Account> {
  return {
    title: 'Actions',
    kind: 'actions',
    cell: (user) => (
      <ActionsMenu
        of={user.username}
        actions={[
          { label: 'Edit', onAction: () => open({ what: 'edit', user }) },
          { label: 'Reset password', onAction: () => open({ what: 'password', user }) },
          { label: user.state === 'ACTIVE' ? 'Suspend' : 'Activate', onAction: () => open({ what: 'state', user }) },
          { label: 'Delete', onAction: () => open({ what: 'delete', user }) },
        ]}
      />
    ),
  };
}
