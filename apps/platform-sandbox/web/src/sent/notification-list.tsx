import { Empty } from '@gondola/web-kit/ui/card';
import { Opened } from '@gondola/web-kit/ui/opened';
import { Raw, Text } from '@gondola/web-kit/ui/text';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Filters, send, useList } from '../api/sandbox.ts';
import type { Notification, NotificationState } from '../api/types.ts';
import { Act } from '../ui/act.tsx';
import styles from '../ui/entries.module.css';
import { Instant } from '../ui/instant.tsx';
import { Listing } from '../ui/listing.tsx';
import { useValues } from '../ui/values.ts';

const LOOKS: Readonly<Record<NotificationState, string>> = {
  pending: 'tag',
  delivered: 'tag good',
  dead: 'tag attention',
  lost: 'tag attention',
};

/** Notifications, the newest first: each with what it says, and what the receiver answered. */
export function NotificationList({ filters, empty }: { filters: Filters; empty: ReactNode }): ReactNode {
  const list = useList<Notification>('/admin/notifications', { ...filters, order: 'newest' });
  return (
    <Listing list={list} empty={<Empty>{empty}</Empty>}>
      {(found) => (
        <ul className={styles['entries']}>
          {found.map((notification) => (
            <Entry key={notification.seq} of={notification} />
          ))}
        </ul>
      )}
    </Listing>
  );
}

function Entry({ of }: { of: Notification }): ReactNode {
  const { t } = useTranslation();
  const { status } = useValues();
  return (
    <li>
      <div className={styles['line']}>
        <Instant at={of.createdAt} />
        <strong>
          <Text value={of.eventType} longest={100} />
        </strong>
        {of.status !== null && <span>{status(of.status)}</span>}
        {of.orderNumber !== null && (
          <Link to="/orders/$number" params={{ number: String(of.orderNumber) }}>
            {t('order.title', { number: of.orderNumber })}
          </Link>
        )}
        {of.orderNumber === null && of.reference !== null && (
          <code>
            <Text value={of.reference} longest={100} />
          </code>
        )}
        <span className={LOOKS[of.state]}>{t(`sent.states.${of.state}`)}</span>
      </div>
      <Attempts of={of} />
      <div className={styles['foot']}>
        <Opened label={t('sent.body')}>
          <Raw value={of.body ?? of.bodyBase64} />
        </Opened>
        <Act label={t('sent.again')} run={() => send(`/admin/notifications/${of.seq}/resend`)} />
      </div>
    </li>
  );
}

function Attempts({ of: { attempts, state, dueAt } }: { of: Notification }): ReactNode {
  const { t } = useTranslation();
  const told = (answer: number | 'under way' | null) => {
    if (answer === null) return t('sent.noAnswer');
    return answer === 'under way' ? t('sent.underWay') : t('sent.answered', { status: answer });
  };
  return (
    <ol className={styles['line']}>
      {attempts.map(({ attempt, at, answer }) => (
        <li key={attempt}>
          {t('sent.attempt', { number: attempt })} <Instant at={at} />: {told(answer)}
        </li>
      ))}
      {state === 'pending' && (
        <li className="muted">
          {t('sent.due')} <Instant at={dueAt} />
        </li>
      )}
    </ol>
  );
}
