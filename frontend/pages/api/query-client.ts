import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasStatus } from './api-error.ts';
import { meQuery } from './me.ts';

/**
 * What was read of the server. A 401 can mean that the session is over, or that something is not permitted: who is
 * signed in is asked again, and the shell leads to the log-in page when nobody is.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => askAgain(error, query.queryKey[0]) }),
  mutationCache: new MutationCache({ onError: (error) => askAgain(error) }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && hasStatus(error, 502, 503, 504),
    },
  },
});

function askAgain(error: unknown, asked?: unknown): void {
  if (hasStatus(error, 401) && asked !== meQuery.queryKey[0]) {
    void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  }
}
