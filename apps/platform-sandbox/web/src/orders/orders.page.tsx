import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { Moment } from '@gondola/web-kit/ui/times';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useList, useRead } from '../api/sandbox.ts';
import type { Order, Status } from '../api/types.ts';
import { useShop } from '../shell/shop.ts';
import { Filters, SelectField, TextField } from '../ui/field.tsx';
import { Listing } from '../ui/listing.tsx';
import { useValues } from '../ui/values.ts';

export function OrdersPage(): ReactNode {
  const { t } = useTranslation();
  const { price, status: word } = useValues();
  const { shop } = useShop();
  const [q, setQ] = useState('');
  const [status, setStatus] = useState('');
  const { data: statuses = [] } = useRead<readonly Status[]>('/admin/statuses');
  const orders = useList<Order>('/admin/orders', {
    q,
    status,
    order: 'newest',
    contractAccountId: shop?.contractAccountId,
  });
  return (
    <Page title={t('nav.orders')}>
      <Filters>
        <TextField type="search" label={t('orders.search')} value={q} onChange={setQ} />
        <SelectField
          label={t('orders.status')}
          value={status}
          options={[['', t('orders.all')], ...statuses.map(({ code }) => [code, word(code)] as const)]}
          onChange={setStatus}
        />
      </Filters>
      <Card title={t('orders.title')}>
        <Listing
          list={orders}
          empty={
            <Empty>
              {t(q === '' && status === '' ? 'orders.empty' : 'orders.notFound')}{' '}
              <Link to="/">{t('orders.toShelf')}</Link>
            </Empty>
          }
        >
          {(found) => (
            <div className="scroll" tabIndex={0} role="region" aria-label={t('orders.title')}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t('orders.number')}</th>
                    <th scope="col">{t('orders.status')}</th>
                    <th scope="col" className="number">
                      {t('order.total')}
                    </th>
                    <th scope="col">{t('orders.at')}</th>
                  </tr>
                </thead>
                <tbody>
                  {found.map((order) => (
                    <tr key={order.number}>
                      <td>
                        <Link to="/orders/$number" params={{ number: String(order.number) }}>
                          {order.number}
                        </Link>
                      </td>
                      <td>{word(order.status)}</td>
                      <td className="number">{price(order.totals.total)}</td>
                      <td>
                        <Moment at={order.createdAt} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Listing>
      </Card>
    </Page>
  );
}
