import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, clientOf } from '../api/clients.ts';
import type { components } from '../api/order-command-handler.d.ts';
import { PAUSING_APPS, type PausingApp, type usePausesOf } from './today-queries.ts';
import { useTenant } from '../shell/tenant.ts';
import styles from './today.module.css';

type Pause = components['schemas']['ReplicaPause'];
type EndPauses = components['schemas']['EndPauses'];

/** Pauses of the platform in all replicas, each with its end for who may act; the card itself names an app away. */
export function Pauses({ queries }: { queries: ReturnType<typeof usePausesOf> }): ReactNode {
  return PAUSING_APPS.flatMap((app, index) =>
    (queries[index]?.data?.entries ?? []).map((pause) => (
      <OnePause key={`${app} ${pause.replica} ${pause.route}`} app={app} pause={pause} />
    )),
  );
}

function OnePause({ app, pause }: { app: PausingApp; pause: Pause }): ReactNode {
  const { t } = useTranslation();
  const { act } = useTenant();
  const client = useQueryClient();
  const { tenant, route, cause, since, until, replica } = pause;
  const body: EndPauses = { tenant, ...(route !== null && { route: route as NonNullable<EndPauses['route']> }) };
  return (
    <div className={styles['row']}>
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
        {t('today.since')} <Moment at={since} /> · {t('today.triedAt')} <Moment at={until} /> ·{' '}
        <Text value={replica} longest={100} />
      </span>
      {act && (
        <Confirm
          label={t('today.endPause')}
          title={t('today.endPauseTitle')}
          run={() => answerOf(clientOf(app).POST('/api/pauses/end', { body }))}
          onDone={() => void client.invalidateQueries({ queryKey: ['pauses', app] })}
        >
          <p>{t('today.endPauseWhat')}</p>
        </Confirm>
      )}
    </div>
  );
}
