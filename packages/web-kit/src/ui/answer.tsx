import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from './problem.tsx';

const SLOW_MS = 3_000;

interface Shown<Data> {
  query: UseQueryResult<Data>;
  app?: string | undefined;
  children: (data: Data) => ReactNode;
}

/**
 * A part of a page that one call fills: waiting, said to be slow, failed or shown. What was shown stays while the app
 * is away, under the sentence that says so, and the rest of the page is not touched.
 */
export function Answer<Data>({ query, app, children }: Shown<Data>): ReactNode {
  const { data, error, isPending, refetch } = query;
  return (
    <>
      {error !== null && <Problem error={error} app={app} onRetry={() => void refetch()} />}
      {data !== undefined ? children(data) : isPending && error === null && <Waiting />}
    </>
  );
}

function Waiting(): ReactNode {
  const { t } = useTranslation();
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p className="muted waiting" role="status">
      {isSlow ? t('frame.slow') : t('frame.loading')}
    </p>
  );
}
