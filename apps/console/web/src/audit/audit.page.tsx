import { count, money } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty, Facts } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Page } from '@gondola/web-kit/ui/page';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, orders } from '../api/clients.ts';
import type { components } from '../api/order-command-handler.d.ts';
import styles from '../loads/loads.module.css';
import { useTenant } from '../shell/tenant.ts';
import { ExportCsv } from '../ui/export-csv.tsx';
import { Paged } from '../ui/paged.tsx';

type Audit = components['schemas']['Audit'];
type AuditedOrder = components['schemas']['AuditedOrder'];

const PAGE = 50;
const EXPORTED_PAGE = 200;
const SIDES = ['shop', 'published', 'erp'] as const;

/** Audits of months, and what differs in each. */
export function AuditPage(): ReactNode {
  const { t } = useTranslation();
  const { id: tenant, act } = useTenant();
  const query = useQuery({
    queryKey: ['audits', tenant],
    queryFn: ({ signal }) => answerOf(orders.GET('/api/audits', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  return (
    <Page title={t('audit.title')}>
      <p className="muted">{t('audit.what')}</p>
      {act && <Start tenant={tenant} />}
      <Answer query={query} app="order-command-handler">
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{t('audit.none')}</Empty>
          ) : (
            entries.map((audit) => <Run key={audit.id} audit={audit} />)
          )
        }
      </Answer>
    </Page>
  );
}

function Start({ tenant }: { tenant: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [month, setMonth] = useState('');
  return (
    <div className="filters">
      <label>
        {t('audit.month')}
        <input placeholder="2026-11" value={month} onChange={({ target }) => setMonth(target.value.trim())} />
      </label>
      <Confirm
        label={t('audit.start')}
        title={t('audit.confirmTitle', { month })}
        disabled={!/^\d{4}-\d\d$/.test(month)}
        run={() => answerOf(orders.POST('/api/audits', { body: { tenant, month, again: true } }))}
        onDone={() => void client.invalidateQueries({ queryKey: ['audits'] })}
      >
        <p>{t('audit.confirmWhat')}</p>
      </Confirm>
    </div>
  );
}

function Run({ audit }: { audit: Audit }): ReactNode {
  const { t, i18n } = useTranslation();
  const { id, month, state, numbers, open, differing, erased, unreadNumbers, kinds, sums } = audit;
  const number = (value: number) => count(value, i18n.language);
  const cents = (value: number) => money((value / 100).toFixed(2), i18n.language);
  const sum = (of: number, value: number) => `${cents(value)} (${number(of)})`;
  const progress = t('recovery.progress', { done: number(numbers - open), total: number(numbers) });
  return (
    <Card title={`${month} · ${t(`audit.state.${state}`)}`}>
      <div className={styles['load']}>
        <progress max={Math.max(numbers, 1)} value={numbers - open} aria-label={progress} />
        <p>
          {progress}
          {audit.estimatedEndAt !== null && (
            <>
              {' · '}
              {t('load.endsAt')} <Moment at={audit.estimatedEndAt} />
            </>
          )}
          {erased > 0 && ` · ${t('audit.erased', { number: number(erased) })}`}
          {unreadNumbers > 0 && ` · ${t('audit.unreadNumbers', { number: number(unreadNumbers) })}`}
        </p>
      </div>
      <Facts
        of={[
          [t('audit.orders'), number(audit.orders)],
          [t('audit.sides.shop'), sum(sums.shopOrders, sums.shopCents)],
          [t('audit.sides.published'), sum(sums.publishedOrders, sums.publishedCents)],
          [t('audit.apart'), cents(sums.shopCents - sums.publishedCents)],
          [t('audit.charged'), cents(sums.chargedCents)],
          [t('audit.invoiced'), sum(sums.invoicedOrders, sums.invoicedCents)],
          ...kinds.map(({ kind, differences }) => [t(`audit.kind.${kind}`), number(differences)] as const),
        ]}
      />
      {differing > 0 && <Differences id={id} month={month} />}
      {state === 'finished' && differing === 0 && <p className={styles['sentence']}>{t('audit.agrees')}</p>}
    </Card>
  );
}

const read = (id: string, limit: number, before: string | null, signal: AbortSignal) =>
  answerOf(
    orders.GET('/api/audits/{id}/differences', {
      signal,
      params: { path: { id }, query: { limit, ...(before !== null && { before }) } },
    }),
  );

function Differences({ id, month }: { id: string; month: string }): ReactNode {
  const { t } = useTranslation();
  const query = useInfiniteQuery({
    queryKey: ['audits', id, 'differences'],
    queryFn: ({ signal, pageParam }) => read(id, PAGE, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });
  const head = [
    t('orders.colNumber'),
    t('audit.difference'),
    t('audit.about'),
    ...SIDES.map((side) => t(`audit.sides.${side}`)),
  ];
  return (
    <details open>
      <summary>{t('audit.differences')}</summary>
      <ExportCsv<readonly (string | null)[]>
        name={`${month}.csv`}
        head={head}
        read={async (after, signal) => {
          const { entries, next } = await read(id, EXPORTED_PAGE, after, signal);
          return { entries: entries.flatMap(rowsOf), next };
        }}
        rowOf={([number, kind, ...figures]) => [number ?? '', t(`audit.kind.${kind as Kind}`), ...figures]}
      />
      <Paged query={query} app="order-command-handler" empty={<Empty>{t('audit.agrees')}</Empty>}>
        {(entries) => (
          <div className="scroll">
            <table>
              <thead>
                <tr>
                  {head.map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {entries.flatMap(rowsOf).map(([number, kind, ...figures], index) => (
                  <tr key={index}>
                    <td>
                      <Link to="/orders/$number" params={{ number: number ?? '' }}>
                        {number}
                      </Link>
                    </td>
                    <td>{t(`audit.kind.${kind as Kind}`)}</td>
                    {figures.map((figure, at) => (
                      <td key={head[at + 2]}>{figure !== null && <Text value={figure} longest={100} />}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Paged>
    </details>
  );
}

type Kind = AuditedOrder['differences'][number]['kind'];

/** Number, kind, subject and the figures of each side. */
function rowsOf({ orderNumber, differences }: AuditedOrder): (readonly (string | null)[])[] {
  return differences.map(({ kind, about, ...sides }) => [
    orderNumber,
    kind,
    about,
    ...SIDES.map((side) => sides[side]),
  ]);
}
