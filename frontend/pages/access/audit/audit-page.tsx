import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '../../../../model/wire/access.ts';
import { queryOf, requestApi } from '../../api/request.ts';
import { nameOfUrn, userUrnOf } from '../../api/urns.ts';
import { Badge } from '../../parts/badge.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Moment } from '../../parts/moment.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import type { AuditSearch } from './audit-search.ts';

/** Settings › Audit Log. */
export function AuditPage() {
  const search = useSearch({ from: '/signed-in/settings/audit' });
  const navigate = useNavigate();
  const pages = useInfiniteQuery(auditQuery(search));
  const { data, error, refetch } = pages;
  const lookFor = (change: { readonly [name in keyof AuditSearch]: string }) =>
    void navigate({ to: '/settings/audit', search: { ...search, ...change } });
  return (
    <Page
      title="Audit Log"
      description="Logins, tokens, changes of policies and users, and refused requests; newest first."
    >
      <Section title="What was done">
        <div className="filters">
          <SearchField
            key={`actor ${search.actor}`}
            label="Actor"
            placeholder="User name or URN"
            value={search.actor ?? ''}
            onSearch={(text) => lookFor({ actor: userUrnOf(text) })}
          />
          <SearchField
            key={`action ${search.action}`}
            label="Action"
            placeholder="Such as logIn"
            value={search.action ?? ''}
            onSearch={(action) => lookFor({ action })}
          />
        </div>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
        {data === undefined && error === null && <Loading />}
        {data !== undefined && (
          <DataTable
            label="Audit log"
            columns={COLUMNS}
            rows={data.pages.flatMap(({ entries }) => entries)}
            keyOf={({ id }) => id}
            empty={
              search.actor === undefined && search.action === undefined ? 'Nothing yet.' : 'Nothing fits these filters.'
            }
          />
        )}
        <MoreButton pages={pages} />
      </Section>
    </Page>
  );
}

interface AuditAnswer {
  readonly entries: readonly AuditEntry[];
  readonly next?: string;
}

function auditQuery({ actor, action }: AuditSearch) {
  return infiniteQueryOptions({
    queryKey: ['audit', actor, action],
    queryFn: ({ pageParam: after, signal }) =>
      requestApi<AuditAnswer>(`/access/audit${queryOf({ count: 50, after, actor, action })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'When', cell: ({ at }) => <Moment at={at} isExact /> },
  { title: 'Actor', cell: ({ actor }) => nameOfUrn(actor) },
  { title: 'Action', cell: ({ action }) => <code>{action}</code> },
  { title: 'Subject', cell: ({ subject }) => subject },
  {
    title: 'Outcome',
    cell: ({ outcome }) => <Badge kind={outcome === 'ok' ? 'good' : 'bad'}>{outcome === 'ok' ? 'OK' : outcome}</Badge>,
  },
  { title: 'Address', cell: ({ address }) => address },
  { title: 'Detail', cell: ({ detail }) => detail },
];
