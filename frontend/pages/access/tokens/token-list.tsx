import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccessTokenAnswer } from '../../../../model/wire/access-token.ts';
import { nameOfUrn, userUrnOf } from '../../api/urns.ts';
import { announce } from '../../parts/announcer.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { SelectField } from '../../parts/fields.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Pager } from '../../parts/pager.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { PAGE, revokeToken, type TokenRights, tokensQuery } from './token-requests.ts';

/** The tokens that may be seen: own ones, or, for whoever manages them, all. */
export function TokenList({ rights }: { readonly rights: TokenRights }) {
  const [owner, setOwner] = useState('');
  const [status, setStatus] = useState<'all' | 'expired'>('all');
  const [start, setStart] = useState(0);
  const [revoked, setRevoked] = useState<AccessTokenAnswer>();
  const ownerUrn = rights.mayManage ? userUrnOf(owner) || undefined : rights.actor;
  const { data, error, refetch } = useQuery(tokensQuery({ owner: ownerUrn, isExpired: status === 'expired', start }));
  const fromTheFirst = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      set(value);
      setStart(0);
    };
  };
  return (
    <>
      <div className="filters">
        {rights.mayManage && (
          <SearchField label="Owner" placeholder="User name or URN" value={owner} onSearch={fromTheFirst(setOwner)} />
        )}
        <SelectField
          label="Status"
          value={status}
          onChange={fromTheFirst(setStatus)}
          options={[
            { value: 'all', label: 'All' },
            { value: 'expired', label: 'Expired' },
          ]}
        />
      </div>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <>
          <DataTable
            label="Access tokens"
            columns={[...COLUMNS, ...(rights.mayManage ? [OWNER] : []), revokeColumn(setRevoked)]}
            rows={data.tokens}
            keyOf={({ id }) => id}
            empty="No Access Tokens!"
          />
          {data.total > 0 && <Pager start={start} page={PAGE} total={data.total} onMove={setStart} />}
        </>
      )}
      {revoked !== undefined && <RevokeToken token={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  );
}

function RevokeToken({ token, onClose }: { readonly token: AccessTokenAnswer; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const revocation = useMutation({
    mutationFn: () => revokeToken(token.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['tokens', 'list'] });
      announce(`The token “${token.name}” is revoked.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke “${token.name}”?`}
      action="Revoke"
      isPending={revocation.isPending}
      error={revocation.error}
      onConfirm={() => revocation.mutate()}
      onClose={onClose}
    >
      Whoever uses this token will no longer be able to access the APIs. This cannot be undone.
    </ConfirmDialog>
  );
}

const COLUMNS: readonly Column<AccessTokenAnswer>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Description', cell: ({ description }) => description },
  { title: 'Expires at', cell: (token) => <End {...token} /> },
];

const OWNER: Column<AccessTokenAnswer> = {
  title: 'Owner',
  cell: ({ ownerUrn, actorUrn }) => (
    <>
      {nameOfUrn(ownerUrn)}
      {actorUrn !== ownerUrn && <div className="quiet">acts as {nameOfUrn(actorUrn)}</div>}
    </>
  ),
};

function revokeColumn(revoke: (token: AccessTokenAnswer) => void): Column<AccessTokenAnswer> {
  return {
    title: 'Actions',
    kind: 'actions',
    cell: (token) => (
      <Button look="quiet" aria-label={`Revoke ${token.name}`} onPress={() => revoke(token)}>
        Revoke
      </Button>
    ),
  };
}

function End({ expiresAt }: AccessTokenAnswer) {
  if (expiresAt === null || expiresAt === undefined) return 'Never';
  return (
    <>
      <Moment at={expiresAt} isExact /> {expiresAt < Date.now() && <Badge kind="bad">Expired</Badge>}
    </>
  );
}
