import { count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card } from '@gondola/web-kit/ui/card';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, webhooks } from '../api/clients.ts';
import { type DeliveryHour, lastHours, SHOWN_HOURS } from './hours.ts';
import styles from './today.module.css';

const HoursChart = lazy(() => import('./hours-chart.tsx'));

/** Webhooks of the last hours: how many came, how many of them twice, and how many could not be used. */
export function DeliveriesCard({ tenant }: { tenant: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['deliveries', tenant],
    queryFn: ({ signal }) => answerOf(webhooks.GET('/api/deliveries/hours', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  return (
    <Card title={t('today.deliveries')}>
      <Answer query={query} app="webhook-ingest">
        {({ hours }) => <Deliveries counted={hours} />}
      </Answer>
    </Card>
  );
}

function Deliveries({ counted }: { counted: readonly DeliveryHour[] }): ReactNode {
  const { t, i18n } = useTranslation();
  const hours = useMemo(() => lastHours(counted, new Date()), [counted]);
  const sum = (of: 'arrived' | 'repeated' | 'failed') =>
    count(
      hours.reduce((all, hour) => all + hour[of], 0),
      i18n.language,
    );
  const counts = { arrived: sum('arrived'), repeated: sum('repeated'), failed: sum('failed') };
  const sentence = t('today.deliveriesSum', { ...counts, hours: SHOWN_HOURS });
  return (
    <>
      <p>{sentence}</p>
      <p className={`muted ${styles['legend']}`} aria-hidden="true">
        <span data-of="arrived">{t('today.arrived')}</span>
        <span data-of="repeated">{t('today.repeated')}</span>
      </p>
      <Suspense fallback={<div className={styles['chart']} />}>
        <HoursChart hours={hours} sentence={sentence} />
      </Suspense>
      <details>
        <summary>{t('today.asTable')}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('today.hour')}</th>
              <th scope="col" className="number">
                {t('today.arrived')}
              </th>
              <th scope="col" className="number">
                {t('today.repeated')}
              </th>
              <th scope="col" className="number">
                {t('today.failed')}
              </th>
            </tr>
          </thead>
          <tbody>
            {hours
              .filter(({ arrived }) => arrived > 0)
              .toReversed()
              .map(({ begin, arrived, repeated, failed }) => (
                <tr key={begin.getTime()}>
                  <td>
                    <Moment at={begin} />
                  </td>
                  <td className="number">{count(arrived, i18n.language)}</td>
                  <td className="number">{count(repeated, i18n.language)}</td>
                  <td className="number">{count(failed, i18n.language)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
