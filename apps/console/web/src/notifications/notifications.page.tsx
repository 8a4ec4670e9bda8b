import { Empty } from '@gondola/web-kit/ui/card';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, webhooks } from '../api/clients.ts';
import type { components } from '../api/webhook-ingest.d.ts';
import { useTenant } from '../shell/tenant.ts';
import { Paged } from '../ui/paged.tsx';

const PAGE = 50;
const STATES = ['waiting', 'sent', 'parked', 'unpublished'] as const;

/** Filters of the address. */
export interface NotificationsSearch {
  readonly order?: string;
  readonly operation?: string;
  readonly event?: string;
  readonly state?: string;
}

export function NotificationsPage(): ReactNode {
  const { t } = useTranslation();
  const { id: tenant } = useTenant();
  const search: NotificationsSearch = useSearch({ from: '/notifications' });
  const { order, operation, event, state } = search;
  const known = STATES.find((each) => each === state);
  const query = useInfiniteQuery({
    queryKey: ['notifications', tenant, { order, operation, event, state }],
    queryFn: ({ signal, pageParam }) =>
      answerOf(
        webhooks.GET('/api/notifications', {
          signal,
          params: {
            query: {
              tenant,
              limit: PAGE,
              ...(order !== undefined && { orderNumber: order }),
              ...(operation !== undefined && { operationId: operation }),
              ...(event !== undefined && { eventType: event }),
              ...(known !== undefined && { state: known }),
              ...(pageParam !== null && { before: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    enabled: tenant !== '',
  });
  const isFiltered = [order, operation, event, known].some((filter) => filter !== undefined);
  return (
    <Page title={t('notifications.title')}>
      <Filters key={JSON.stringify(search)} search={search} />
      <Paged
        query={query}
        app="webhook-ingest"
        empty={<Empty>{isFiltered ? t('notifications.noneFound') : t('notifications.none')}</Empty>}
      >
        {(entries) => <Table entries={entries} />}
      </Paged>
    </Page>
  );
}

function Filters({ search }: { search: NotificationsSearch }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/notifications' });
  const [wanted, setWanted] = useState(search);
  const texts = [
    ['order', t('notifications.order')],
    ['operation', t('notifications.operation')],
    ['event', t('notifications.event')],
  ] as const;
  const apply = (event: FormEvent) => {
    event.preventDefault();
    const filled = Object.entries(wanted).filter(([, value]) => value !== '');
    void navigate({ search: ({ shop }) => ({ ...(shop !== undefined && { shop }), ...Object.fromEntries(filled) }) });
  };
  return (
    <form className="filters" role="search" onSubmit={apply}>
      {texts.map(([name, label]) => (
        <label key={name}>
          {label}
          <input
            value={wanted[name] ?? ''}
            onChange={({ target }) => setWanted({ ...wanted, [name]: target.value.trim() })}
          />
        </label>
      ))}
      <label>
        {t('notifications.state')}
        <select value={wanted.state ?? ''} onChange={({ target }) => setWanted({ ...wanted, state: target.value })}>
          <option value="">{t('list.all')}</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {t(`notifications.states.${state}`)}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">{t('list.search')}</button>
    </form>
  );
}

function Table({ entries }: { entries: ReadonlyArray<components['schemas']['NotificationEntry']> }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="card scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('notifications.colReceived')}</th>
            <th scope="col">{t('notifications.colWhat')}</th>
            <th scope="col">{t('notifications.colState')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, receivedAt, eventType, subject, state }) => (
            <tr key={id}>
              <td>
                <Link to="/notifications/$id" params={{ id }}>
                  <Moment at={receivedAt} />
                </Link>
              </td>
              <td>
                <Text value={eventType} longest={200} />
                <br />
                <small className="muted">
                  <Text value={subject} longest={200} />
                </small>
              </td>
              <td>
                <span className={state === 'parked' ? 'tag attention' : 'tag'}>
                  {t(`notifications.states.${state}`)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
