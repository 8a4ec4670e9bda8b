import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, orders } from '../api/clients.ts';
import type { components } from '../api/order-command-handler.d.ts';
import { useTenant } from '../shell/tenant.ts';
import { STATUSES_PT } from '../texts/words-pt-br.ts';
import { useWords } from '../texts/words.ts';
import { Empty } from '../ui/card.tsx';
import { csvOf, download } from '../ui/csv.ts';
import { OpenForm } from '../ui/open-form.tsx';
import { Page } from '../ui/page.tsx';
import { Paged } from '../ui/paged.tsx';
import { Moment } from '../ui/times.tsx';

type OrderEntry = components['schemas']['OrderEntry'];

const PAGE = 50;
/** 1300 is no status of an order. */
const STATUSES = Object.keys(STATUSES_PT).filter((code) => code !== '1300');

export function OrdersPage(): ReactNode {
  const { t } = useTranslation();
  const { id: tenant } = useTenant();
  const { status, attention } = useSearch({ from: '/orders' });
  const query = useInfiniteQuery({
    queryKey: ['orders', tenant, { status, attention }],
    queryFn: ({ signal, pageParam }) =>
      answerOf(
        orders.GET('/api/orders', {
          signal,
          params: {
            query: {
              tenant,
              limit: PAGE,
              ...(status !== undefined && { status: Number(status) as never }),
              ...(attention === true && { attention: 'true' as const }),
              ...(pageParam !== null && { before: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    enabled: tenant !== '',
  });
  const isFiltered = status !== undefined || attention === true;
  return (
    <Page title={t('orders.title')}>
      <OpenOrder />
      <Filters />
      <Paged
        query={query}
        app="order-command-handler"
        empty={<Empty>{isFiltered ? t('orders.noneFound') : t('orders.none')}</Empty>}
      >
        {(entries) => <Table entries={entries} />}
      </Paged>
    </Page>
  );
}

/** The way to an order whose number is at hand, wherever it stands in the list. */
function OpenOrder(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <OpenForm
      numeric
      label={t('orders.number')}
      button={t('orders.go')}
      wrong={(text) => (/^\d{1,15}$/.test(text) ? null : t('orders.notANumber'))}
      onOpen={(number) => void navigate({ to: '/orders/$number', params: { number } })}
    />
  );
}

function Filters(): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const { status, attention } = useSearch({ from: '/orders' });
  const navigate = useNavigate({ from: '/orders' });
  return (
    <div className="filters">
      <label>
        {t('orders.status')}
        <select
          value={status ?? ''}
          onChange={({ target }) =>
            void navigate({
              search: ({ status: _before, ...rest }) => ({
                ...rest,
                ...(target.value !== '' && { status: target.value }),
              }),
            })
          }
        >
          <option value="">{t('list.all')}</option>
          {STATUSES.map((code) => (
            <option key={code} value={code}>
              {word('status', code)}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={attention === true}
          onChange={({ target }) =>
            void navigate({
              search: ({ attention: _before, ...rest }) => ({ ...rest, ...(target.checked && { attention: true }) }),
            })
          }
        />
        {t('orders.attentionOnly')}
      </label>
    </div>
  );
}

function Table({ entries }: { entries: readonly OrderEntry[] }): ReactNode {
  const { t } = useTranslation();
  const { word, status: nameOf } = useWords();
  const save = () => {
    const head = [t('orders.colNumber'), t('orders.colStatus'), t('orders.colSince'), t('orders.colAttention')];
    const rows = entries.map(({ orderNumber, status, statusSince, attention }) => [
      orderNumber,
      nameOf(status),
      statusSince,
      attention.map(({ code }) => word('attention', code)).join(', '),
    ]);
    download('pedidos.csv', csvOf([head, ...rows]));
  };
  return (
    <div className="card scroll">
      <header>
        <span className="muted">{t('list.count', { count: entries.length })}</span>
        <button type="button" onClick={save}>
          {t('list.download')}
        </button>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('orders.colNumber')}</th>
            <th scope="col">{t('orders.colStatus')}</th>
            <th scope="col">{t('orders.colAttention')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, orderNumber, status, statusSince, revision, attention }) => (
            <tr key={id}>
              <td>
                <Link to="/orders/$number" params={{ number: orderNumber }}>
                  {orderNumber}
                </Link>
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
