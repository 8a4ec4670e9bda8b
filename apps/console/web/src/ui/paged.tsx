import { Answer } from '@gondola/web-kit/ui/answer';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppName } from '../api/overview.ts';

interface Shown<Entry> {
  query: UseInfiniteQueryResult<InfiniteData<{ entries: readonly Entry[]; next: string | null }>>;
  app?: AppName | undefined;
  empty: ReactNode;
  children: (entries: readonly Entry[]) => ReactNode;
}

/** A list that grows by pages, each of which begins where the one before ended. */
export function Paged<Entry>({ query, app, empty, children }: Shown<Entry>): ReactNode {
  const { t } = useTranslation();
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <Answer query={query} app={app}>
      {({ pages }) => {
        const entries = pages.flatMap((page) => page.entries);
        if (entries.length === 0) return empty;
        return (
          <>
            {children(entries)}
            {hasNextPage && (
              <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {isFetchingNextPage ? t('frame.loading') : t('list.more')}
              </button>
            )}
          </>
        );
      }}
    </Answer>
  );
}
