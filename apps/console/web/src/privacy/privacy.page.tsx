import { fullTime } from '@gondola/web-kit/format/time';
import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Page } from '@gondola/web-kit/ui/page';
import { Problem } from '@gondola/web-kit/ui/problem';
import { Moment } from '@gondola/web-kit/ui/times';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, orders } from '../api/clients.ts';
import { useTenant } from '../shell/tenant.ts';
import { Paged } from '../ui/paged.tsx';
import { type Erased, eraseOrders, eraseShopper } from './erase.ts';

export function PrivacyPage(): ReactNode {
  const { t } = useTranslation();
  const { id: tenant, act } = useTenant();
  return (
    <Page title={t('privacy.title')}>
      {act ? (
        <div className="columns">
          <EraseOrder tenant={tenant} />
          <EraseShopper tenant={tenant} />
        </div>
      ) : (
        <p className="muted">{t('privacy.seeOnly')}</p>
      )}
      <ErasedOrders tenant={tenant} />
    </Page>
  );
}

function EraseOrder({ tenant }: { tenant: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [number, setNumber] = useState('');
  const [erased, setErased] = useState<Erased | null>(null);
  return (
    <Card title={t('privacy.order')}>
      <p className="muted">{t('privacy.orderWhat')}</p>
      <div className="filters">
        <label>
          {t('privacy.number')}
          <input
            inputMode="numeric"
            value={number}
            onChange={({ target }) => {
              setNumber(target.value.trim());
              setErased(null);
            }}
          />
        </label>
        <Confirm
          dangerous
          label={t('privacy.erase')}
          title={t('privacy.eraseOrderTitle', { number })}
          disabled={!/^\d{1,15}$/.test(number)}
          run={async () => setErased(await eraseOrders(tenant, [number]))}
          onDone={() => void client.invalidateQueries()}
        >
          <p>{t('privacy.eraseOrderWhat')}</p>
        </Confirm>
      </div>
      {erased !== null && <Outcome erased={erased} />}
    </Card>
  );
}

function EraseShopper({ tenant }: { tenant: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [erased, setErased] = useState<Erased | null>(null);
  // In the body of a POST, since addresses are logged.
  const finding = useMutation({
    mutationFn: () => answerOf(orders.POST('/api/erasures/orders', { body: { tenant, email } })),
  });
  const find = (event: FormEvent) => {
    event.preventDefault();
    setErased(null);
    finding.mutate();
  };
  const numbers = finding.data?.orderNumbers;
  return (
    <Card title={t('privacy.shopper')}>
      <p className="muted">{t('privacy.shopperWhat')}</p>
      <form className="filters" onSubmit={find}>
        <label>
          {t('privacy.email')}
          <input
            type="email"
            required
            autoComplete="off"
            value={email}
            onChange={({ target }) => {
              setEmail(target.value);
              finding.reset();
            }}
          />
        </label>
        <button type="submit" disabled={finding.isPending}>
          {t('privacy.find')}
        </button>
      </form>
      {finding.error !== null && <Problem error={finding.error} app="order-command-handler" />}
      {numbers !== undefined && erased === null && (
        <>
          <p role="status">
            {numbers.length === 0 ? t('privacy.foundNone') : t('privacy.found', { count: numbers.length })}{' '}
            {numbers.join(', ')}
          </p>
          <Confirm
            dangerous
            label={t('privacy.erase')}
            title={t('privacy.eraseShopperTitle')}
            run={async () => setErased(await eraseShopper(tenant, email, numbers))}
            onDone={() => void client.invalidateQueries()}
          >
            <p>{t('privacy.eraseShopperWhat')}</p>
          </Confirm>
        </>
      )}
      {erased !== null && <Outcome erased={erased} />}
    </Card>
  );
}

function Outcome({ erased: { done, failed, copiesUntil, forEver } }: { erased: Erased }): ReactNode {
  const { t, i18n } = useTranslation();
  const names = (apps: Erased['done']) => apps.map((app) => t(`app.${app}`)).join(', ');
  return (
    <div role="status">
      {done.length > 0 && <p className="note">{t('privacy.done', { apps: names(done) })}</p>}
      {failed.length > 0 && <p className="problem">{t('privacy.partly', { apps: names(failed) })}</p>}
      {copiesUntil !== null && <p>{t('privacy.copies', { until: fullTime(new Date(copiesUntil), i18n.language) })}</p>}
      {forEver.length > 0 && <p>{t('privacy.copiesForEver', { topics: forEver.join(', ') })}</p>}
    </div>
  );
}

function ErasedOrders({ tenant }: { tenant: string }): ReactNode {
  const { t } = useTranslation();
  const query = useInfiniteQuery({
    queryKey: ['erasures', tenant],
    queryFn: ({ signal, pageParam }) =>
      answerOf(
        orders.GET('/api/erasures', {
          signal,
          params: { query: { tenant, ...(pageParam !== null && { before: pageParam }) } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    enabled: tenant !== '',
  });
  return (
    <Card title={t('privacy.erased')}>
      <Paged query={query} app="order-command-handler" empty={<Empty>{t('privacy.erasedNone')}</Empty>}>
        {(entries) => (
          <table>
            <thead>
              <tr>
                <th scope="col">{t('privacy.colOrder')}</th>
                <th scope="col">{t('privacy.colAt')}</th>
              </tr>
            </thead>
            <tbody>
              {entries.map(({ id, orderNumber, at }) => (
                <tr key={id}>
                  <td>
                    <Link to="/orders/$number" params={{ number: orderNumber }}>
                      {orderNumber}
                    </Link>
                  </td>
                  <td>
                    <Moment at={at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Paged>
    </Card>
  );
}
