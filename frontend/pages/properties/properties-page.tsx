import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { VALUE_TYPES } from '../../../model/value-type.ts';
import { typeInWords } from '../catalogue/named-entity.ts';
import { propertiesQuery } from '../catalogue/properties-query.ts';
import type { Property } from '../catalogue/property.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Loading } from '../parts/loading.tsx';
import { MoreButton, shownInParts } from '../parts/more-button.tsx';
import { Page } from '../parts/page.tsx';
import { DefinitionDialog } from './definition-dialog.tsx';
import { holderCountsQuery } from './holdings-query.ts';
import { type PropertiesSearch, readPropertiesSearch, searchProperties } from './properties-search.ts';

const route = getRouteApi('/signed-in/properties');

const PAGE = 50;

/** All properties. */
export function PropertiesPage() {
  const [isDefining, setDefining] = useState(false);
  const [shown, setShown] = useState(PAGE);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(propertiesQuery);
  const found = data === undefined ? [] : searchProperties(data.properties, search);
  const rows = found.slice(0, shown);
  const counts = useQuery(holderCountsQuery(rows.filter(({ removed }) => !removed).map(({ name }) => name)));
  const look = (change: { readonly [key in keyof PropertiesSearch]: string }) => {
    setShown(PAGE);
    void navigate({ search: readPropertiesSearch({ ...search, ...change }), replace: true, resetScroll: false });
  };
  return (
    <Page
      title="Properties"
      description="Structured properties: typed values that datasets and other entities can have."
      actions={
        <Button look="primary" onPress={() => setDefining(true)}>
          Define a property
        </Button>
      }
    >
      <search className="filters" aria-label="Properties">
        <TextField label="Search" type="search" value={search.q ?? ''} onChange={(q) => look({ q })} />
        <SelectField
          label="Value type"
          value={search.type ?? ''}
          onChange={(type) => look({ type })}
          options={[
            { value: '', label: 'Any' },
            ...VALUE_TYPES.map((value) => ({ value, label: value.replace('_', ' ') })),
          ]}
        />
        <SelectField
          label="State"
          value={search.state ?? ''}
          onChange={(state) => look({ state })}
          options={[
            { value: '', label: 'Any' },
            { value: 'live', label: 'Live' },
            { value: 'removed', label: 'Soft deleted' },
          ]}
        />
      </search>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <>
          <p role="status" className="quiet">
            {found.length === data.total ? `${data.total} properties` : `${found.length} of ${data.total} properties`}
          </p>
          <DataTable
            label="Properties"
            columns={columnsOf(counts.data)}
            rows={rows}
            keyOf={({ urn }) => urn}
            empty={
              data.total === 0 ? 'There are no properties yet. Define the first one.' : 'No property is called so.'
            }
          />
        </>
      )}
      <MoreButton pages={shownInParts(found.length, shown, setShown, PAGE)} />
      {isDefining && <DefinitionDialog onClose={() => setDefining(false)} />}
    </Page>
  );
}

function columnsOf(counts: ReadonlyMap<string, number> | undefined): readonly Column<Property>[] {
  return [
    {
      title: 'Name',
      cell: ({ name, title }) => (
        <>
          <Link to="/properties/$name" params={{ name }}>
            {title}
          </Link>
          {title !== name && <div className="quiet mono">{name}</div>}
        </>
      ),
    },
    { title: 'Type', cell: ({ valueType }) => <span className="nowrap">{valueType.replace('_', ' ')}</span> },
    { title: 'Values', cell: ({ isMultiple }) => (isMultiple ? 'several' : 'one') },
    { title: 'For', cell: ({ entityTypes }) => entityTypes.map(typeInWords).join(', ') },
    {
      title: 'State',
      cell: ({ removed }) => (removed ? <Badge kind="warn">Soft deleted</Badge> : <Badge kind="good">Live</Badge>),
    },
    {
      title: 'Holders',
      kind: 'number',
      cell: ({ name, removed }) => {
        const count = removed ? undefined : counts?.get(name);
        return count === undefined ? <span className="quiet">–</span> : count.toLocaleString('en');
      },
    },
  ];
}
