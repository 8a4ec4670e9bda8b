import { useNamed } from '@gondola/web-kit/texts/named';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Facts } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../api/sandbox.ts';
import type { Order } from '../api/types.ts';
import { NotificationList } from '../sent/notification-list.tsx';
import { Instant } from '../ui/instant.tsx';
import { useValues } from '../ui/values.ts';
import { OrderActions } from './order-actions.tsx';
import styles from './order.module.css';
import { Picking } from './picking.tsx';

const AMOUNTS = ['subtotal', 'discount', 'couponDiscount', 'giftCard', 'freight', 'total'] as const;
const REDUCTIONS: ReadonlySet<string> = new Set(['discount', 'couponDiscount', 'giftCard']);
const CENTS = 100;
const DELIVERY_TYPES = ['scheduled', 'express', 'pickup'];

export function OrderPage(): ReactNode {
  const { t } = useTranslation();
  const { number } = useParams({ from: '/orders/$number' });
  const query = useRead<Order>(`/admin/orders/${encodeURIComponent(number)}`);
  const { status } = useValues();
  return (
    <Page
      title={t('order.title', { number })}
      aside={query.data !== undefined && <span className="tag good">{status(query.data.status)}</span>}
    >
      <Answer query={query}>
        {(order) => (
          <>
            <div className="columns">
              <Items order={order} />
              <Course order={order} />
            </div>
            <OrderActions order={order} />
            <Picking key={order.number} order={order} />
            <Card
              title={t('order.sent')}
              aside={
                <Link to="/sent" search={{ order: String(order.number) }}>
                  {t('order.allSent')}
                </Link>
              }
            >
              <NotificationList filters={{ orderNumber: order.number }} empty={t('order.notSent')} />
            </Card>
          </>
        )}
      </Answer>
    </Page>
  );
}

function Items({ order }: { order: Order }): ReactNode {
  const { t } = useTranslation();
  const { price, amount } = useValues();
  const amounts = AMOUNTS.filter((name) => name === 'total' || name === 'subtotal' || order.totals[name] !== 0);
  return (
    <Card title={t('order.items')}>
      <ul className={styles['items']}>
        {order.items.map((item, index) => (
          <li key={`${index} ${item.skuExternalReference}`}>
            <span>
              <Text value={item.name} longest={120} /> <code>{item.skuExternalReference}</code>
              <br />
              <small className="muted">
                {amount(item.quantity, item.unitOfMeasure)} × {price(item.unitPrice)} /{' '}
                {item.unitOfMeasure.toLowerCase()}
              </small>
            </span>
            <span className="number">{price(item.total)}</span>
          </li>
        ))}
        {amounts.map((name) => (
          <li key={name} className={name === 'total' ? styles['total'] : undefined}>
            <span>{t(`order.${name}`)}</span>
            <span className="number">{price(REDUCTIONS.has(name) ? -order.totals[name] : order.totals[name])}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Statuses that the order went through, its payment, delivery and invoice. */
function Course({ order: { statusHistory, paid, deliveryType, invoice, invoiceFile } }: { order: Order }): ReactNode {
  const { t } = useTranslation();
  const { status, price } = useValues();
  const named = useNamed();
  return (
    <Card title={t('order.course')}>
      <ol className={styles['course']}>
        {statusHistory.map(({ status: code, at }, index) => (
          <li key={`${index} ${code}`}>
            {status(code)} <Instant at={at} />
          </li>
        ))}
      </ol>
      <Facts
        of={[
          [t('basket.payment'), t(`paid.${paid}`)],
          [t('order.deliveryType'), named(`deliveryType.${DELIVERY_TYPES[deliveryType - 1]}`, String(deliveryType))],
          [
            t('order.invoice'),
            invoice === null ? (
              <span className="muted">{t('order.noInvoice')}</span>
            ) : (
              <>
                <Text value={invoice.number} longest={80} /> · {price(invoice.value / CENTS)}
              </>
            ),
          ],
          ...(invoiceFile === null
            ? []
            : ([
                [
                  t('order.invoiceFile'),
                  <a key="file" href={invoiceFile.url}>
                    <Text value={invoiceFile.fileName} longest={80} />
                  </a>,
                ],
              ] as const)),
        ]}
      />
    </Card>
  );
}
