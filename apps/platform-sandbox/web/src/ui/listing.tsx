import { Answer } from '@gondola/web-kit/ui/answer';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Listed } from '../api/sandbox.ts';

interface Shown<Entry> {
  list: { readonly query: UseQueryResult<Listed<Entry>>; readonly more: () => void };
  empty: ReactNode;
  children: (entries: readonly Entry[], total: number) => ReactNode;
}

/** A list, a button for what is not yet shown of it, and a sentence for none. */
export function Listing<Entry>({ list: { query, more }, empty, children }: Shown<Entry>): ReactNode {
  const { t } = useTranslation();
  return (
    <Answer query={query}>
      {({ entries, total }) =>
        entries.length === 0 ? (
          empty
        ) : (
          <>
            {children(entries, total)}
            {total > entries.length && (
              <button type="button" onClick={more}>
                {t('list.more', { shown: entries.length, total })}
              </button>
            )}
          </>
        )
      }
    </Answer>
  );
}
