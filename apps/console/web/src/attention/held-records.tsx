import { count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, catalog } from '../api/clients.ts';
import { APPS } from '../api/overview.ts';
import type { Tenant } from '../shell/tenant.ts';
import { useTodayOf } from '../today/today-queries.ts';
import { CauseBox } from '../ui/cause-box.tsx';
import { Parked } from './parked.tsx';

/** Records that go no further by themselves: rejected, without their references, or refused by Kafka. */
export function HeldRecords({ tenant: of }: { tenant: Tenant }): ReactNode {
  const tenant = of.id;
  const { t, i18n } = useTranslation();
  const rejections = useQuery({
    queryKey: ['rejections', 'groups', tenant],
    queryFn: ({ signal }) => answerOf(catalog.GET('/api/rejections/groups', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  const counts = useQuery({
    queryKey: ['catalog', 'counts', 'of-shop', tenant],
    queryFn: ({ signal }) => answerOf(catalog.GET('/api/counts', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  const works = useTodayOf(tenant);
  const isNone =
    rejections.data?.groups.length === 0 &&
    counts.data?.every(({ waiting }) => waiting === 0) &&
    works.every(({ data }) => data?.outbox.parked === 0);
  const number = (value: number) => count(value, i18n.language);
  return (
    <Card title={t('needs.held')}>
      {isNone && <Empty>{t('needs.heldNone')}</Empty>}
      <Answer query={rejections} app="catalog-publisher">
        {({ groups }) => {
          const sum = groups.reduce((all, group) => all + group.count, 0);
          if (sum === 0) return null;
          const oldest = groups.map(({ oldestAt }) => oldestAt).reduce((one, other) => (one < other ? one : other));
          return (
            <CauseBox
              place="rejections"
              title={t('needs.rejected', { count: sum, number: number(sum) })}
              facts={
                <>
                  {t('needs.oldest')} <Moment at={oldest} /> ·{' '}
                  <Link to="/loads" hash="rejections">
                    {t('needs.rejectedSee')}
                  </Link>
                </>
              }
              who="erp"
              todo={t('needs.todo.rejected')}
            />
          );
        }}
      </Answer>
      <Answer query={counts} app="catalog-publisher">
        {(kinds) =>
          kinds
            .filter(({ waiting }) => waiting > 0)
            .map(({ kind, waiting }) => (
              <CauseBox
                key={kind}
                place={`waiting-${kind}`}
                title={t('needs.waiting', { count: waiting, number: number(waiting) })}
                facts={t(`loads.recordKind.${kind}`)}
                who="erp"
                todo={t('needs.todo.waiting')}
              />
            ))
        }
      </Answer>
      {APPS.map((app, index) => (
        <Answer key={app} query={works[index]!} app={app}>
          {({ outbox: { parked } }) => parked > 0 && <Parked app={app} records={parked} tenant={of} />}
        </Answer>
      ))}
    </Card>
  );
}
