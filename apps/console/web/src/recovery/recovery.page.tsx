import { count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Empty } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Page } from '@gondola/web-kit/ui/page';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, orders } from '../api/clients.ts';
import type { components } from '../api/order-command-handler.d.ts';
import { useTenant } from '../shell/tenant.ts';
import styles from '../loads/loads.module.css';

const MOST = 100_000;

/** Searches for orders of which no notice came, and how far each is. */
export function RecoveryPage(): ReactNode {
  const { t } = useTranslation();
  const { id: tenant, act } = useTenant();
  const query = useQuery({
    queryKey: ['recoveries', tenant],
    queryFn: ({ signal }) => answerOf(orders.GET('/api/recoveries', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  return (
    <Page title={t('recovery.title')}>
      <p className="muted">{t('recovery.what')}</p>
      {act && <Start tenant={tenant} />}
      <Answer query={query} app="order-command-handler">
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty>{t('recovery.none')}</Empty>
          ) : (
            <div className="card">
              {entries.map((recovery) => (
                <Run key={recovery.id} recovery={recovery} />
              ))}
            </div>
          )
        }
      </Answer>
    </Page>
  );
}

function Start({ tenant }: { tenant: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const range = { from: Number(from), to: Number(to) };
  const isRange = /^\d+$/.test(from) && /^\d+$/.test(to) && range.from >= 1 && range.from <= range.to;
  const isUsable = isRange && range.to - range.from < MOST;
  const isWrong = from !== '' && to !== '' && !isUsable;
  return (
    <div className="filters">
      <label>
        {t('recovery.from')}
        <input inputMode="numeric" value={from} onChange={({ target }) => setFrom(target.value.trim())} />
      </label>
      <label>
        {t('recovery.to')}
        <input inputMode="numeric" value={to} onChange={({ target }) => setTo(target.value.trim())} />
      </label>
      <Confirm
        label={t('recovery.start')}
        title={t('recovery.confirmTitle', { from, to })}
        disabled={!isUsable}
        run={() => answerOf(orders.POST('/api/recoveries', { body: { tenant, ...range } }))}
        onDone={() => void client.invalidateQueries({ queryKey: ['recoveries'] })}
      >
        <p>{t('recovery.confirmWhat')}</p>
      </Confirm>
      {isWrong && <p role="alert">{t('recovery.wrong')}</p>}
    </div>
  );
}

function Run({ recovery }: { recovery: components['schemas']['Recovery'] }): ReactNode {
  const { t, i18n } = useTranslation();
  const { from, to, source, candidates, open, found, givenUp, perMinute, finishedAt, estimatedEndAt, startedAt } =
    recovery;
  const number = (value: number) => count(value, i18n.language);
  const progress = t('recovery.progress', { done: number(candidates - open), total: number(candidates) });
  return (
    <div className={styles['load']}>
      <p>
        <strong>{t('recovery.range', { from, to })}</strong>{' '}
        <span className="muted">
          {t(`recovery.source.${source}`)}
          {startedAt !== null && (
            <>
              {' · '}
              <Moment at={startedAt} />
            </>
          )}
        </span>
      </p>
      {candidates === 0 ? (
        <p>{t('recovery.nothingToDo')}</p>
      ) : (
        <>
          <progress max={candidates} value={candidates - open} aria-label={progress} />
          <p>
            {progress}
            {finishedAt === null && perMinute !== null && ` · ${t('load.rate', { perMinute: number(perMinute) })}`}
            {finishedAt === null && estimatedEndAt !== null && (
              <>
                {' · '}
                {t('load.endsAt')} <Moment at={estimatedEndAt} />
              </>
            )}
            {' · '}
            {t('recovery.found', { count: found })}
            {givenUp > 0 && ` · ${t('recovery.givenUp', { count: givenUp })}`}
          </p>
        </>
      )}
    </div>
  );
}
