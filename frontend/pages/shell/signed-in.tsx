import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation } from '@tanstack/react-router';
import { hasStatus } from '../api/api-error.ts';
import { meQuery } from '../api/me.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Loading } from '../parts/loading.tsx';
import { Shell } from './shell.tsx';

/** What is shown to whoever is signed in; others are led to the log-in page, and back afterwards. */
export function SignedIn() {
  const { data: me, error, refetch } = useQuery(meQuery);
  const from = useLocation({ select: ({ href }) => href });
  if (hasStatus(error, 401)) return <Navigate to="/login" search={from === '/' ? {} : { from }} replace />;
  if (me !== undefined) {
    return (
      <Shell me={me}>
        <Outlet />
      </Shell>
    );
  }
  return (
    <main className="alone">
      {error === null ? <Loading /> : <ErrorNotice error={error} onRetry={() => void refetch()} />}
    </main>
  );
}
