import { count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card } from '@gondola/web-kit/ui/card';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, catalog, files, orders, webhooks } from '../api/clients.ts';
import styles from './today.module.css';

/** What is under way in each app, and when the platform was last heard. */
export function WorkCard({ tenant }: { tenant: string }): ReactNode {
  const { t } = useTranslation();
  const ofOrders = useQuery({
    queryKey: ['orders', 'counts', tenant],
    queryFn: ({ signal }) => answerOf(orders.GET('/api/counts', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  const ofCatalog = useQuery({
    queryKey: ['catalog', 'counts', tenant],
    queryFn: ({ signal }) => answerOf(catalog.GET('/api/counts', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  const ofFiles = useQuery({
    queryKey: ['files', 'counts', tenant],
    queryFn: ({ signal }) => answerOf(files.GET('/api/counts', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  const registrations = useQuery({
    queryKey: ['webhook', tenant],
    queryFn: ({ signal }) =>
      answerOf(webhooks.GET('/api/webhook-registration', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  return (
    <Card title={t('today.work')}>
      <Answer query={registrations} app="webhook-ingest">
        {({ registrations: [webhook] }) => (
          <Row name={t('today.lastNotification')}>
            {webhook?.lastNotificationAt ? (
              <Moment at={webhook.lastNotificationAt} relative />
            ) : (
              t('today.neverNotified')
            )}
          </Row>
        )}
      </Answer>
      <Answer query={ofOrders} app="order-command-handler">
        {({ openCommands }) => <Count name={t('today.openCommands')} of={openCommands.map(({ open }) => open)} />}
      </Answer>
      <Answer query={ofCatalog} app="catalog-publisher">
        {(counts) => (
          <>
            <Count name={t('today.openRecords')} of={counts.map(({ open }) => open)} />
            <Count name={`… ${t('today.sentRecords')}`} of={counts.map(({ sent }) => sent)} />
            <Count name={`… ${t('today.waitingRecords')}`} of={counts.map(({ waiting }) => waiting)} />
          </>
        )}
      </Answer>
      <Answer query={ofFiles} app="file-gateway">
        {({ openCommands }) => <Count name={t('today.openFiles')} of={openCommands.map(({ open }) => open)} />}
      </Answer>
    </Card>
  );
}

function Count({ name, of }: { name: string; of: readonly number[] }): ReactNode {
  const { i18n } = useTranslation();
  const sum = of.reduce((all, each) => all + each, 0);
  return <Row name={name}>{count(sum, i18n.language)}</Row>;
}

function Row({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div className={styles['row']}>
      <span>{name}</span>
      <span className="number">{children}</span>
    </div>
  );
}
