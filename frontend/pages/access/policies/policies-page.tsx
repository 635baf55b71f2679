import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ShownPolicy } from '../../../../model/wire/access.ts';
import { ActionsMenu } from '../../parts/actions-menu.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { DeletePolicy, SwitchPolicy } from './policy-dialogs.tsx';
import { policiesQuery } from './policy-requests.ts';
import { actorsOf, labelOfPrivilege, PolicyBadges } from './policy-words.tsx';

type Opened = { readonly what: 'switch' | 'delete'; readonly policy: ShownPolicy };

/** Settings › Policies. */
export function PoliciesPage() {
  const [opened, open] = useState<Opened>();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(policiesQuery);
  const edit = (id: string) => void navigate({ to: '/settings/policies/$id', params: { id } });
  const columns = [...COLUMNS, actionsColumn(open, edit)];
  return (
    <Page
      title="Policies"
      description="Who may do what: each policy grants privileges to actors. What no active policy grants is refused."
      actions={
        <Link to="/settings/new-policy" className="button button-primary">
          Create policy
        </Link>
      }
    >
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && <Loading />}
      {data !== undefined &&
        KINDS.map(({ type, title }) => (
          <Section key={type} title={title}>
            <DataTable
              label={title}
              columns={columns}
              rows={data.filter((policy) => policy.type === type)}
              keyOf={({ id }) => id}
              empty="There is none of this type."
            />
          </Section>
        ))}
      {opened?.what === 'switch' && <SwitchPolicy policy={opened.policy} onClose={() => open(undefined)} />}
      {opened?.what === 'delete' && <DeletePolicy policy={opened.policy} onClose={() => open(undefined)} />}
    </Page>
  );
}

const KINDS = [
  { type: 'PLATFORM', title: 'About the platform' },
  { type: 'METADATA', title: 'About metadata' },
] as const;

const COLUMNS: readonly Column<ShownPolicy>[] = [
  {
    title: 'Policy',
    cell: ({ id, name, description }) => (
      <div>
        <Link to="/settings/policies/$id" params={{ id }}>
          {name}
        </Link>
        {description !== '' && <div className="quiet">{description}</div>}
      </div>
    ),
  },
  { title: 'State', cell: (policy) => <PolicyBadges {...policy} /> },
  { title: 'Grants', cell: ({ privileges }) => summaryOf(privileges) },
  { title: 'To', cell: (policy) => actorsOf(policy).join('; ') },
];

function summaryOf(privileges: readonly string[]): string {
  const [first = '', ...others] = privileges;
  return others.length < 2
    ? privileges.map(labelOfPrivilege).join(', ')
    : `${labelOfPrivilege(first)} and ${others.length} more`;
}

function actionsColumn(open: (opened: Opened) => void, edit: (id: string) => void): Column<ShownPolicy> {
  return {
    title: 'Actions',
    kind: 'actions',
    cell: (policy) => (
      <ActionsMenu
        of={policy.name}
        actions={
          policy.editable
            ? [
                { label: 'Edit', onAction: () => edit(policy.id) },
                {
                  label: policy.state === 'ACTIVE' ? 'Deactivate' : 'Activate',
                  onAction: () => open({ what: 'switch', policy }),
                },
                ...(policy.origin === 'stored'
                  ? [{ label: 'Delete', onAction: () => open({ what: 'delete', policy }) }]
                  : []),
              ]
            : [{ label: 'View', onAction: () => edit(policy.id) }]
        }
      />
    ),
  };
}
