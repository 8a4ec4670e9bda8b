import { count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card } from '@gondola/web-kit/ui/card';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { APPS } from '../api/overview.ts';
import { useWords } from '../texts/words.ts';
import { useTodayOf } from './today-queries.ts';
import styles from './today.module.css';

/** Waiting work of each app and its age, and pauses of the platform. */
export function WaitingCard({ tenant }: { tenant: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const { named } = useWords();
  const queries = useTodayOf(tenant);
  return (
    <Card title={t('today.waiting')}>
      {queries.map((query, index) => {
        const app = APPS[index]!;
        return (
          <Answer key={app} query={query} app={app}>
            {({ queues, outbox, pauses }) => (
              <>
                {queues.map(({ kind, count: number, isMore, oldestAt }) => (
                  <Row
                    key={kind}
                    name={named(`lane.${kind}`, kind)}
                    number={(isMore ? '> ' : '') + count(number, i18n.language)}
                    since={oldestAt}
                  />
                ))}
                {outbox.waiting > 0 && (
                  <Row
                    name={t('today.outbox', { app: t(`app.${app}`) })}
                    number={count(outbox.waiting, i18n.language)}
                    since={outbox.oldestAt}
                  />
                )}
                {pauses.map(({ route, cause, until }) => (
                  <p key={`${route} ${cause}`} className={styles['row']}>
                    <span>
                      {t(`app.${app}`)}: {t(`today.pauseCause.${cause}`)}
                      {route !== null && (
                        <>
                          {' '}
                          <code>
                            <Text value={route} longest={200} />
                          </code>
                        </>
                      )}
                    </span>
                    <span className="muted">
                      {t('today.triedAt')} <Moment at={until} />
                    </span>
                  </p>
                ))}
              </>
            )}
          </Answer>
        );
      })}
      {queries.every(({ data }) => data !== undefined && isIdle(data)) && (
        <p className="empty">{t('today.nothingWaits')}</p>
      )}
    </Card>
  );
}

function isIdle({
  queues,
  outbox,
  pauses,
}: {
  queues: object[];
  outbox: { waiting: number };
  pauses: object[];
}): boolean {
  return queues.length === 0 && outbox.waiting === 0 && pauses.length === 0;
}

function Row({ name, number, since }: { name: string; number: string; since: string | null }): ReactNode {
  const { t } = useTranslation();
  return (
    <p className={styles['row']}>
      <Text value={name} longest={200} />
      <span>
        <strong>{number}</strong>
        {since !== null && (
          <span className="muted">
            {' · '}
            {t('today.oldest')} <Moment at={since} relative />
          </span>
        )}
      </span>
    </p>
  );
}
