import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './api-problem.ts';

/**
 * Reads a page that is looked at again every `liveMs`; TanStack Query does not while the page is hidden. A 401 of any
 * call means that the session has ended, which its own query then shows.
 */
export function createQueryClient(liveMs: number): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const isEnded = error instanceof ApiProblem && error.status === 401;
        if (isEnded && query.queryKey[0] !== 'session') void client.invalidateQueries({ queryKey: ['session'] });
      },
    }),
    defaultOptions: {
      queries: {
        refetchInterval: liveMs,
        retry: (failures, error) =>
          failures < 1 && !(error instanceof ApiProblem && error.status >= 400 && error.status < 500),
        staleTime: 1_000,
      },
    },
  });
  return client;
}
