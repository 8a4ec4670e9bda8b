import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, catalog } from '../api/clients.ts';
import { useTenant } from '../shell/tenant.ts';
import { Paged } from '../ui/paged.tsx';
import { LoadProgress } from './load-progress.tsx';
import { Rejections } from './rejections.tsx';

const PAGE = 20;

export function LoadsPage(): ReactNode {
  const { t } = useTranslation();
  const tenant = useTenant();
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: ['loads', tenant.id],
    queryFn: ({ signal, pageParam }) =>
      answerOf(
        catalog.GET('/api/loads', {
          signal,
          params: { query: { tenant: tenant.id, limit: PAGE, ...(pageParam !== null && { before: pageParam }) } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    enabled: tenant.id !== '',
  });
  const resend = () =>
    answerOf(catalog.POST('/api/resends', { params: { query: { tenant: tenant.id } }, body: { everything: true } }));
  return (
    <Page
      title={t('loads.title')}
      aside={
        tenant.act && (
          <Confirm
            label={t('loads.everything')}
            title={t('loads.everythingTitle')}
            run={resend}
            onDone={() => void client.invalidateQueries({ queryKey: ['loads'] })}
          >
            <p>{t('loads.everythingWhat')}</p>
          </Confirm>
        )
      }
    >
      <Rejections tenant={tenant.id} />
      <Card title={t('loads.list')}>
        <Paged query={query} app="catalog-publisher" empty={<Empty>{t('loads.none')}</Empty>}>
          {(loads) =>
            loads.map((load) => (
              <LoadProgress
                key={load.id}
                load={load}
                title={
                  <Link to="/loads/$loadId" params={{ loadId: load.loadId }}>
                    <Text value={load.loadId} longest={120} />
                  </Link>
                }
              />
            ))
          }
        </Paged>
      </Card>
    </Page>
  );
}
