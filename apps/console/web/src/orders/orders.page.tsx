import { fullDate } from '@gondola/web-kit/format/time';
import { Empty } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, orders } from '../api/clients.ts';
import type { components } from '../api/order-command-handler.d.ts';
import { useTenant } from '../shell/tenant.ts';
import { useWords } from '../texts/words.ts';
import { ExportCsv } from '../ui/export-csv.tsx';
import { Paged } from '../ui/paged.tsx';
import { Filters } from './filters.tsx';
import { type OrderFilter, queryOf } from './order-filter.ts';

type OrderEntry = components['schemas']['OrderEntry'];

const PAGE = 50;
/** Entries of one call of an export; the app gives no more. */
const EXPORTED_PAGE = 200;

export function OrdersPage(): ReactNode {
  const { t } = useTranslation();
  const { id: tenant } = useTenant();
  const { shop: _shop, ...filter } = useSearch({ from: '/orders' });
  const query = useInfiniteQuery({
    queryKey: ['orders', tenant, filter],
    queryFn: ({ signal, pageParam }) => read({ filter, tenant, limit: PAGE }, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    enabled: tenant !== '',
  });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page title={t('orders.title')} aside={<Export filter={filter} tenant={tenant} />}>
      <Filters />
      <Paged
        query={query}
        app="order-command-handler"
        empty={<Empty>{isFiltered ? t('orders.noneFound') : t('orders.none')}</Empty>}
      >
        {(entries) => <Table entries={entries} hasShops={filter.everyShop === true} />}
      </Paged>
    </Page>
  );
}

interface Wanted {
  readonly filter: OrderFilter;
  readonly tenant: string;
  readonly limit: number;
}

async function read({ filter, tenant, limit }: Wanted, before: string | null, signal: AbortSignal) {
  const query = { ...queryOf(filter, tenant), limit, ...(before !== null && { before }) };
  return answerOf(orders.GET('/api/orders', { signal, params: { query } }));
}

/** All orders that the filters find, however many the page shows. */
function Export({ filter, tenant }: Omit<Wanted, 'limit'>): ReactNode {
  const { t, i18n } = useTranslation();
  const { word, status: nameOf } = useWords();
  return (
    <ExportCsv<OrderEntry>
      name="pedidos.csv"
      head={[
        t('orders.colNumber'),
        t('shell.shop'),
        t('orders.colStatus'),
        t('orders.colSince'),
        t('orders.colAttention'),
        t('orders.colActs'),
      ]}
      read={(after, signal) => read({ filter, tenant, limit: EXPORTED_PAGE }, after, signal)}
      rowOf={({ orderNumber, tenant: shop, status, statusSince, attention }) => [
        orderNumber,
        shop,
        nameOf(status),
        fullDate(new Date(statusSince), i18n.language),
        attention.map(({ code }) => word('attention', code)).join(', '),
        [...new Set(attention.map(({ waitsFor }) => word('party', waitsFor)))].join(', '),
      ]}
    />
  );
}

function Table({ entries, hasShops }: { entries: readonly OrderEntry[]; hasShops: boolean }): ReactNode {
  const { t } = useTranslation();
  const { word, status: nameOf } = useWords();
  return (
    <div className="card scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('orders.colNumber')}</th>
            <th scope="col">{t('orders.colStatus')}</th>
            <th scope="col">{t('orders.colAttention')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, tenant, orderNumber, status, statusSince, revision, attention }) => (
            <tr key={id}>
              <td>
                <Link to="/orders/$number" params={{ number: orderNumber }} search={hasShops ? { shop: tenant } : {}}>
                  {orderNumber}
                </Link>
                {hasShops && (
                  <>
                    <br />
                    <small className="muted">
                      <Text value={tenant} longest={100} />
                    </small>
                  </>
                )}
              </td>
              <td>
                {nameOf(status) ?? t('orders.unknownStatus')}
                <br />
                <small className="muted">
                  {t('today.since')} <Moment at={statusSince} />
                  {revision === 0 && ` · ${t('orders.unheard')}`}
                </small>
              </td>
              <td>
                {attention.map(({ code, waitsFor }) => (
                  <span key={code} className="tag attention">
                    {word('attention', code)} · {t('today.acts', { who: word('party', waitsFor) })}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
