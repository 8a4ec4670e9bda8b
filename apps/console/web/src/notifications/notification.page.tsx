import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Facts } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Page } from '@gondola/web-kit/ui/page';
import { Raw, Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, webhooks } from '../api/clients.ts';
import type { components } from '../api/webhook-ingest.d.ts';
import { useTenant } from '../shell/tenant.ts';
import { textOfBase64 } from '../ui/base64.ts';

type Notification = components['schemas']['NotificationWithBody'];

export function NotificationPage(): ReactNode {
  const { t } = useTranslation();
  const { id } = useParams({ from: '/notifications/$id' });
  const query = useQuery({
    queryKey: ['notification', id],
    queryFn: ({ signal }) => answerOf(webhooks.GET('/api/notifications/{id}', { signal, params: { path: { id } } })),
  });
  return (
    <Page title={t('notifications.one', { id })}>
      <Answer query={query} app="webhook-ingest">
        {(notification) => (
          <>
            <Known notification={notification} />
            <Body notification={notification} />
          </>
        )}
      </Answer>
    </Page>
  );
}

function Known({ notification }: { notification: Notification }): ReactNode {
  const { t, i18n } = useTranslation();
  const { eventType, subject, operationId, receivedAt, sentAt, topic, state, bytes, dedupKey, parkedReason } =
    notification;
  const order = /^order\/(\d+)$/.exec(subject ?? '')?.[1];
  return (
    <Card title={t('notifications.colWhat')}>
      <Facts
        of={[
          [t('notifications.colWhat'), <Text value={eventType} longest={200} />],
          [
            t('notifications.colSubject'),
            order === undefined ? (
              <Text value={subject} longest={300} />
            ) : (
              <Link to="/orders/$number" params={{ number: order }}>
                {t('order.title', { number: order })}
              </Link>
            ),
          ],
          [t('notifications.colReceived'), <Moment at={receivedAt} />],
          [t('notifications.colState'), t(`notifications.states.${state}`)],
          ...(parkedReason === null
            ? []
            : [[t('notifications.states.parked'), <Text value={parkedReason} />] as const]),
          [t('notifications.topic'), <Text value={topic} />],
          [t('notifications.sentAt'), sentAt === null ? t('text.none') : <Moment at={sentAt} />],
          [t('notifications.operation'), <Text value={operationId} longest={200} />],
          [t('notifications.bytes'), bytes.toLocaleString(i18n.language)],
          [t('notifications.key'), <Text value={dedupKey} longest={300} />],
        ]}
      />
    </Card>
  );
}

/** The content, which is personal data: only for who may act, and each look is recorded by the app. */
function Body({ notification: { id, bodyErasedAt } }: { notification: Notification }): ReactNode {
  const { t } = useTranslation();
  const { act } = useTenant();
  const [body, setBody] = useState<string | null>(null);
  const show = async () => {
    const params = { path: { id }, query: { body: 'true' as const } };
    const { bodyBase64 } = await answerOf(webhooks.GET('/api/notifications/{id}', { params }));
    setBody(typeof bodyBase64 === 'string' ? textOfBase64(bodyBase64) : t('notifications.gone'));
  };
  return (
    <Card
      title={t('notifications.body')}
      aside={
        act &&
        body === null &&
        bodyErasedAt === null && (
          <Confirm label={t('notifications.show')} title={t('notifications.showTitle', { id })} run={show}>
            <p>{t('notifications.showWhat')}</p>
          </Confirm>
        )
      }
    >
      {body !== null && <Raw value={body} />}
      {body === null && (
        <p className="muted">{bodyErasedAt === null ? t('notifications.hidden') : t('notifications.gone')}</p>
      )}
    </Card>
  );
}
