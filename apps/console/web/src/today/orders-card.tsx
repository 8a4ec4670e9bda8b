import { count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty } from '@gondola/web-kit/ui/card';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, orders } from '../api/clients.ts';
import { useWords } from '../texts/words.ts';
import styles from './today.module.css';

/** Orders of all statuses, each as a bar of its share. */
export function OrdersCard({ tenant }: { tenant: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const { word } = useWords();
  const query = useQuery({
    queryKey: ['orders', 'counts', tenant],
    queryFn: ({ signal }) => answerOf(orders.GET('/api/counts', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  return (
    <Card title={t('today.ordersByStatus')} aside={<Link to="/orders">{t('shell.orders')}</Link>}>
      <Answer query={query} app="order-command-handler">
        {({ byStatus }) => {
          const most = Math.max(...byStatus.map((each) => each.orders));
          if (byStatus.length === 0) return <Empty>{t('today.ordersNone')}</Empty>;
          return (
            <ul className={styles['rows']}>
              {byStatus.map(({ status, orders: number }) => (
                <li key={status}>
                  <span>
                    {status === null ? (
                      t('orders.unknownStatus')
                    ) : (
                      <Link to="/orders" search={{ status: String(status) }}>
                        {word('status', status)}
                      </Link>
                    )}
                  </span>
                  <meter min={0} max={most} value={number} aria-hidden="true" />
                  <span className="number">{count(number, i18n.language)}</span>
                </li>
              ))}
            </ul>
          );
        }}
      </Answer>
    </Card>
  );
}
