import { count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card } from '@gondola/web-kit/ui/card';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { APPS } from '../api/overview.ts';
import { useWords } from '../texts/words.ts';
import { Pauses } from './pauses.tsx';
import { usePausesOf, useTodayOf } from './today-queries.ts';
import styles from './today.module.css';

/** Waiting work of each app and its age, and pauses of the platform. */
export function WaitingCard({ tenant }: { tenant: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const { named } = useWords();
  const queries = useTodayOf(tenant);
  const pauses = usePausesOf(tenant);
  return (
    <Card title={t('today.waiting')}>
      {queries.map((query, index) => {
        const app = APPS[index]!;
        return (
          <Answer key={app} query={query} app={app}>
            {({ queues, stuck, outbox }) => (
              <>
                {queues.map(({ kind, count: number, isMore, oldestAt }) => (
                  <Row
                    key={kind}
                    name={named(`lane.${kind}`, kind)}
                    number={(isMore ? '> ' : '') + count(number, i18n.language)}
                    since={oldestAt}
                  />
                ))}
                {stuck.map(({ kind, identity, failures, commandIds, nextTryAt }) => (
                  <Row
                    key={`${kind} ${identity}`}
                    name={t('today.stuck', {
                      kind: named(`lane.${kind}`, kind),
                      identity,
                      commands: commandIds.join(', ') || '–',
                    })}
                    number={count(failures, i18n.language)}
                    since={null}
                    until={nextTryAt}
                  />
                ))}
                {outbox.waiting > 0 && (
                  <Row
                    name={t('today.outbox', { app: t(`app.${app}`) })}
                    number={count(outbox.waiting, i18n.language)}
                    since={outbox.oldestAt}
                  />
                )}
              </>
            )}
          </Answer>
        );
      })}
      <Pauses queries={pauses} />
      {queries.every(({ data }) => data !== undefined && isIdle(data)) && pauses.every(isWithoutPause) && (
        <p className="empty">{t('today.nothingWaits')}</p>
      )}
    </Card>
  );
}

function isIdle({
  queues,
  stuck,
  outbox,
}: {
  queues: object[];
  stuck: object[];
  outbox: { waiting: number };
}): boolean {
  return queues.length === 0 && stuck.length === 0 && outbox.waiting === 0;
}

function isWithoutPause({ data }: { data?: { entries: object[] } | undefined }): boolean {
  return data?.entries.length === 0;
}

function Row({
  name,
  number,
  since,
  until = null,
}: {
  name: string;
  number: string;
  since: string | null;
  until?: string | null;
}): ReactNode {
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
        {until !== null && (
          <span className="muted">
            {' · '}
            {t('today.triedAt')} <Moment at={until} />
          </span>
        )}
      </span>
    </p>
  );
}
