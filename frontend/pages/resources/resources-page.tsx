import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Loading } from '../parts/loading.tsx';
import { MoreButton, shownInParts } from '../parts/more-button.tsx';
import { Page } from '../parts/page.tsx';
import { HeldDeletionsNotice } from './held-deletions.tsx';
import { type JudgedResource, RESOURCE_STATES } from './resource-state.ts';
import { resourcesQuery } from './resources-query.ts';
import { type ResourcesSearch, readResourcesSearch, searchResources } from './resources-search.ts';
import { Sources } from './sources.tsx';
import { StateBadge } from './state-badge.tsx';

const route = getRouteApi('/signed-in/resources');

const PAGE = 100;

/** What operators reconcile, and how far it is. */
export function ResourcesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [shown, setShown] = useState(PAGE);
  const { data: resources, error, refetch } = useQuery(resourcesQuery);
  const found = searchResources(resources ?? [], search);
  const kinds = [...new Set(resources?.map(({ record }) => record.kind))].sort();
  const look = (change: { readonly [key in keyof ResourcesSearch]: string }) => {
    setShown(PAGE);
    void navigate({ search: readResourcesSearch({ ...search, ...change }), replace: true, resetScroll: false });
  };
  return (
    <Page
      title="Resources"
      description="Manifests that an operator reconciles from a folder. On a cluster the state is in the objects: kubectl get proplane -A."
    >
      <HeldDeletionsNotice />
      <Sources />
      <search className="filters" aria-label="Resources">
        <TextField label="Search" type="search" value={search.q ?? ''} onChange={(q) => look({ q })} />
        <SelectField
          label="Kind"
          value={search.kind ?? ''}
          onChange={(kind) => look({ kind })}
          options={[{ value: '', label: 'Any' }, ...kinds.map((value) => ({ value, label: value }))]}
        />
        <SelectField
          label="State"
          value={search.state ?? ''}
          onChange={(state) => look({ state })}
          options={[
            { value: '', label: 'Any' },
            { value: 'attention', label: 'Needs attention' },
            ...RESOURCE_STATES.map((value) => ({ value, label: value })),
          ]}
        />
      </search>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {resources === undefined && error === null && <Loading />}
      {resources !== undefined && (
        <>
          <p role="status" className="quiet">
            {found.length === resources.length
              ? `${resources.length} resources`
              : `${found.length} of ${resources.length} resources`}
          </p>
          <DataTable
            label="Resources"
            columns={COLUMNS}
            rows={found.slice(0, shown)}
            keyOf={({ record: { source, kind, namespace, name } }) => [source, kind, namespace, name].join('\n')}
            empty={
              resources.length === 0 ? 'No operator over a folder has reported anything.' : 'No resource is like that.'
            }
          />
        </>
      )}
      <MoreButton pages={shownInParts(found.length, shown, setShown, PAGE)} />
    </Page>
  );
}

const COLUMNS: readonly Column<JudgedResource>[] = [
  {
    title: 'Resource',
    cell: ({ record: { source, kind, namespace, name } }) => (
      <Link
        to="/resources/$source/$kind/$namespace/$name"
        params={{ source, kind, namespace, name }}
        className="whole-words"
      >
        {namespace}/{name}
      </Link>
    ),
  },
  { title: 'Kind', cell: ({ record }) => <span className="whole-words">{record.kind}</span> },
  { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { title: 'Reason', cell: ({ reason }) => <span className="whole-words">{reason}</span> },
  { title: 'Message', cell: ({ message }) => <span className="clamped">{message}</span> },
  { title: 'File', cell: ({ record }) => <span className="mono">{record.location ?? ''}</span> },
  { title: 'Generation', kind: 'number', cell: ({ record }) => record.generation },
];
