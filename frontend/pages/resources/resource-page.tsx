import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Condition } from '../../../model/resource/status.ts';
import type { OwnedThing } from '../../../model/wire/owner-mark.ts';
import { hasStatus } from '../api/api-error.ts';
import { EntityLink } from '../catalogue/entity-link.tsx';
import { Badge } from '../parts/badge.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Facts } from '../parts/facts.tsx';
import { Loading } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page, Section } from '../parts/page.tsx';
import { factsOfStatus, type JudgedResource } from './resource-state.ts';
import { ownedQuery, type ResourceAddress, resourceQuery } from './resources-query.ts';
import { StateBadge } from './state-badge.tsx';

const route = getRouteApi('/signed-in/resources/$source/$kind/$namespace/$name');

/** A resource: where it comes from, its conditions, and what belongs to it. */
export function ResourcePage() {
  const address = route.useParams();
  const { kind, namespace, name } = address;
  const { data, error, refetch } = useQuery(resourceQuery(address));
  const isUnreported = hasStatus(error, 404);
  return (
    <Page
      title={`${namespace}/${name}`}
      above={[
        <Link key="resources" to="/resources">
          Resources
        </Link>,
      ]}
    >
      <p className="row">
        <Badge>{kind}</Badge>
        {data !== undefined && <StateBadge state={data.state} />}
      </p>
      {isUnreported ? (
        <Notice kind="info">
          No operator over a folder reports this resource. If it is an object of a cluster, its state is there: kubectl
          get {kind.toLowerCase()} -n {namespace} {name}
        </Notice>
      ) : (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && <Reported resource={data} />}
      <Section title="What belongs to it">
        <Owned address={address} />
      </Section>
    </Page>
  );
}

function Reported({ resource: { record, conditions } }: { readonly resource: JudgedResource }) {
  return (
    <>
      <Section title="About">
        <Facts
          facts={[
            ['Source', record.source],
            [
              'File',
              <span key="file" className="mono">
                {record.location ?? 'not known'}
              </span>,
            ],
            ['Generation', generationOf(record)],
            ['First seen', <Moment key="created" at={record.created} />],
            ...factsOfStatus(record.status).map(factOf),
          ]}
        />
      </Section>
      <Section title="Conditions">
        <DataTable
          label="Conditions"
          columns={CONDITION_COLUMNS}
          rows={conditions}
          keyOf={({ type }) => type}
          empty="The operator has not reported anything yet."
        />
      </Section>
    </>
  );
}

function factOf({ name, text }: { readonly name: string; readonly text: string }): [string, ReactNode] {
  return [name, text.startsWith('urn:li:') ? <EntityLink key={name} urn={text} /> : text];
}

const CONDITION_COLUMNS: readonly Column<Condition>[] = [
  { title: 'Type', cell: ({ type }) => type },
  { title: 'Status', cell: ({ status }) => status },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'Message', cell: ({ message }) => message },
  {
    title: 'Since',
    cell: ({ lastTransitionTime }) => {
      const at = Date.parse(lastTransitionTime);
      return Number.isNaN(at) ? lastTransitionTime : <Moment at={at} />;
    },
  },
];

function generationOf({ generation, status }: JudgedResource['record']): string {
  const observed = (status as { observedGeneration?: number } | undefined)?.observedGeneration;
  return observed === undefined || observed === generation
    ? String(generation)
    : `${generation}, of which ${observed} was judged last`;
}

function Owned({ address }: { readonly address: ResourceAddress }) {
  const owned = useInfiniteQuery(ownedQuery(address));
  if (owned.error !== null) return <ErrorNotice error={owned.error} onRetry={() => void owned.refetch()} />;
  if (owned.data === undefined) return <Loading />;
  const things = owned.data.pages.flatMap(({ owners }) => owners);
  return (
    <div className="stack">
      <DataTable
        label="What belongs to it"
        columns={OWNED_COLUMNS}
        rows={things}
        keyOf={({ urn, propertyUrn = '' }) => `${urn} ${propertyUrn}`}
        empty="Nothing has its mark."
      />
      <MoreButton pages={owned} />
    </div>
  );
}

const OWNED_COLUMNS: readonly Column<OwnedThing>[] = [
  { title: 'Entity', cell: ({ urn }) => <EntityLink urn={urn} isLong /> },
  {
    title: 'What of it',
    cell: ({ propertyUrn }) =>
      propertyUrn === undefined ? (
        'its definition'
      ) : (
        <>
          values of <EntityLink urn={propertyUrn} />
        </>
      ),
  },
  { title: 'When the manifest is deleted', cell: ({ deletionPolicy }) => deletionPolicy },
];
