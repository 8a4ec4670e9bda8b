import { Answer } from '@gondola/web-kit/ui/answer';
import { Text } from '@gondola/web-kit/ui/text';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useList } from '../api/sandbox.ts';
import type { Operation } from '../api/types.ts';
import styles from '../ui/entries.module.css';

/** Outcome of an accepted call, live. */
export function OutcomeOf({ operationId }: { operationId: string }): ReactNode {
  const { query } = useList<Operation>('/admin/operations', { operationId });
  return (
    <div role="status" className={styles['outcome']}>
      <Answer query={query}>{({ entries }) => entries.map((one) => <Outcome key={one.operationId} of={one} />)}</Answer>
    </div>
  );
}

export function Outcome({ of: { operationId, outcome, rejections, notifications } }: { of: Operation }): ReactNode {
  const { t } = useTranslation();
  const isWell = outcome === 'taken' || outcome === 'waiting';
  return (
    <div>
      <p>
        <span className={isWell ? 'tag good' : 'tag attention'}>{t(`outcome.${outcome}`)}</span>{' '}
        {notifications.length > 0 && (
          <Link to="/sent" search={{ operation: operationId }}>
            {t('outcome.sent', { count: notifications.length })}
          </Link>
        )}
      </p>
      {rejections.map(({ at, eventType, about, error }, index) => (
        <p key={`${at} ${index}`}>
          {about !== null && (
            <>
              <Text value={about} longest={100} />:{' '}
            </>
          )}
          <Text value={sentenceOf(error)} longest={1_000} /> <code>{eventType}</code>
        </p>
      ))}
    </div>
  );
}

/** The sentences inside an error as the platform notifies it. */
function sentenceOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { detail, errors } = error as { readonly detail?: unknown; readonly errors?: unknown };
  const single = Array.isArray(errors) ? errors.map((one: { readonly validation?: unknown }) => one.validation) : [];
  const sentences = [detail, ...single].filter((sentence) => typeof sentence === 'string');
  return sentences.length === 0 ? JSON.stringify(error) : sentences.join(' ');
}
