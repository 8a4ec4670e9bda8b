import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Opened } from '@gondola/web-kit/ui/opened';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, orders } from '../api/clients.ts';
import type { components } from '../api/order-command-handler.d.ts';
import { RefreshOrder, ReleaseOrder } from '../orders/order-actions.tsx';
import type { Tenant } from '../shell/tenant.ts';
import { useWords } from '../texts/words.ts';
import styles from './attention.module.css';
import { CauseBox } from '../ui/cause-box.tsx';

interface Need extends Readonly<components['schemas']['OrderAttention']> {
  readonly orderNumber: string;
}

const MOST = 200;
/** Orders of a cause that are shown at once; the others open. */
const SHOWN = 10;

/** Orders that need attention, by what they need and who must act. */
export function OrdersInNeed({ tenant }: { tenant: Tenant }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['orders', tenant.id, { attention: true, counted: MOST }],
    queryFn: ({ signal }) => {
      const filter = { tenant: tenant.id, attention: 'true', limit: MOST } as const;
      return answerOf(orders.GET('/api/orders', { signal, params: { query: filter } }));
    },
    enabled: tenant.id !== '',
  });
  return (
    <Card
      title={t('needs.orders')}
      aside={
        <Link to="/orders" search={{ attention: true }}>
          {t('needs.ordersAll')}
        </Link>
      }
    >
      <Answer query={query} app="order-command-handler">
        {({ entries, next }) => {
          const needs = entries.flatMap(({ orderNumber, attention }): Need[] =>
            attention.map((need) => ({ orderNumber, ...need })),
          );
          const groups = [...Map.groupBy(needs, placeOf)];
          if (groups.length === 0) return <Empty>{t('needs.ordersNone')}</Empty>;
          return (
            <>
              {next !== null && <p className="muted">{t('needs.ordersMore', { count: MOST })}</p>}
              {groups.map(([place, its]) => (
                <Group key={place} place={place} needs={its} tenant={tenant} />
              ))}
            </>
          );
        }}
      </Answer>
    </Card>
  );
}

/** Place of a cause on the page; Today's lines lead to it. */
function placeOf({ code, waitsFor }: Pick<Need, 'code' | 'waitsFor'>): string {
  return `orders-${code}-${waitsFor}`;
}

function Group({ place, needs, tenant }: { place: string; needs: readonly Need[]; tenant: Tenant }): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const { code, waitsFor } = needs[0]!;
  const eldestFirst = needs.toSorted((one, other) => (one.since < other.since ? -1 : 1));
  const list = (of: readonly Need[]) => (
    <ul className={styles['entries']}>
      {of.map((need) => (
        <OneOrder key={need.orderNumber} need={need} tenant={tenant} />
      ))}
    </ul>
  );
  return (
    <CauseBox
      place={place}
      title={t('today.ordersAttention', { count: needs.length, what: word('attention', code) })}
      facts={
        <>
          {t('needs.oldest')} <Moment at={eldestFirst[0]!.since} />
        </>
      }
      who={waitsFor}
      todo={t(`needs.orderTodo.${code}`)}
    >
      {list(eldestFirst.slice(0, SHOWN))}
      {needs.length > SHOWN && (
        <Opened label={t('needs.others', { count: needs.length - SHOWN })}>{list(eldestFirst.slice(SHOWN))}</Opened>
      )}
    </CauseBox>
  );
}

function OneOrder({ need, tenant }: { need: Need; tenant: Tenant }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { orderNumber: number, code, since, waitsFor } = need;
  const onDone = () => void client.invalidateQueries({ queryKey: ['orders'] });
  const Action = code === 'PAID_NOTICE_MISSING' ? ReleaseOrder : RefreshOrder;
  return (
    <li className={styles['order']}>
      <span>
        <Link to="/orders/$number" params={{ number }}>
          {t('order.title', { number })}
        </Link>{' '}
        <span className="muted">
          {t('today.since')} <Moment at={since} />
        </span>
      </span>
      {tenant.act && waitsFor !== 'erp' && <Action tenant={tenant.id} number={number} onDone={onDone} />}
    </li>
  );
}
