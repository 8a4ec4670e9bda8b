import { Card } from '@gondola/web-kit/ui/card';
import { Problem } from '@gondola/web-kit/ui/problem';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { overviewQuery } from '../api/overview.ts';
import styles from './today.module.css';

export function AppsCard(): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(overviewQuery);
  return (
    <Card title={t('today.apps')}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      <ul className={styles['rows']}>
        {data?.apps.map(({ app, state, since }) => (
          <li key={app}>
            <span>{t(`app.${app}`)}</span>
            <span>
              <span className={state === 'ready' ? 'tag good' : 'tag attention'}>{t(`appState.${state}`)}</span>
              {since !== null && state !== 'ready' && (
                <>
                  {' '}
                  <Moment at={since} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
