import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { hasStatus } from '../api/api-error.ts';
import { meQuery } from '../api/me.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Loading } from '../parts/loading.tsx';
import { Shell } from './shell.tsx';

/** What is shown to whoever is signed in; others are led to the log-in page, and back afterwards. */
export function SignedIn() {
  const { data: me, error, refetch } = useQuery(meQuery);
  const isNobody = hasStatus(error, 401);
  useLogIn(isNobody);
  if (me !== undefined && !isNobody) {
    return (
      <Shell me={me}>
        <Outlet />
      </Shell>
    );
  }
  return (
    <main className="alone">
      {error === null || isNobody ? <Loading /> : <ErrorNotice error={error} onRetry={() => void refetch()} />}
    </main>
  );
}

function useLogIn(isNobody: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (!isNobody) return;
    const { href } = router.state.location;
    void router.navigate({ to: '/login', search: href === '/' ? {} : { from: href }, replace: true });
  }, [isNobody, router]);
}
