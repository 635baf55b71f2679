import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ShownPolicy } from '../../../../model/wire/access.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { PolicyForm } from './policy-form.tsx';
import { policiesQuery } from './policy-requests.ts';
import { PolicyView } from './policy-view.tsx';
import { PolicyBadges, whyReadOnly } from './policy-words.tsx';

const ABOVE = [
  <Link key="policies" to="/settings/policies">
    Policies
  </Link>,
];

/** One policy: to be changed, or only looked at. */
export function PolicyPage() {
  const { id } = useParams({ from: '/signed-in/settings/policies/$id' });
  const { data, error, refetch } = useQuery(policiesQuery);
  const policy = data?.find((each) => each.id === id);
  if (policy === undefined) {
    return (
      <Page title="Policy" above={ABOVE}>
        {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Loading />}
        {data !== undefined && (
          <Notice kind="warn">
            <span>
              There is no policy <code>{id}</code>, maybe no more.
            </span>
          </Notice>
        )}
      </Page>
    );
  }
  return (
    <Page title={policy.name} above={ABOVE} description={<PolicyBadges {...policy} />}>
      {policy.editable ? (
        <PolicyForm key={policy.id} policy={policy} isNew={false} />
      ) : (
        <>
          <Notice kind="info">
            <span>{whyReadOnly(policy)}</span>
          </Notice>
          <PolicyView policy={policy} />
        </>
      )}
    </Page>
  );
}

/** A policy that is to be. */
export function NewPolicyPage() {
  return (
    <Page title="Create policy" above={ABOVE}>
      <PolicyForm policy={NEW} isNew />
    </Page>
  );
}

const NEW: ShownPolicy = {
  id: '',
  name: '',
  description: '',
  type: 'METADATA',
  state: 'ACTIVE',
  privileges: [],
  actors: { users: [], groups: [], roles: [], allUsers: false, resourceOwners: false },
  origin: 'stored',
  editable: true,
};
