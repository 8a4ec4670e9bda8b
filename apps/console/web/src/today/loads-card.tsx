import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty } from '@gondola/web-kit/ui/card';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, catalog } from '../api/clients.ts';
import { LoadProgress } from '../loads/load-progress.tsx';

const SHOWN = 5;

export function LoadsCard({ tenant }: { tenant: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['loads', tenant, SHOWN],
    queryFn: ({ signal }) =>
      answerOf(catalog.GET('/api/loads', { signal, params: { query: { tenant, limit: SHOWN } } })),
    enabled: tenant !== '',
  });
  return (
    <Card title={t('today.loads')}>
      <Answer query={query} app="catalog-publisher">
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{t('today.loadsNone')}</Empty>
          ) : (
            entries.map((load) => <LoadProgress key={load.id} load={load} />)
          )
        }
      </Answer>
    </Card>
  );
}
