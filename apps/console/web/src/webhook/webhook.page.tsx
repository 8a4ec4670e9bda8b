import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty, Facts } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Page } from '@gondola/web-kit/ui/page';
import { Problem } from '@gondola/web-kit/ui/problem';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, webhooks } from '../api/clients.ts';
import type { components } from '../api/webhook-ingest.d.ts';
import { useTenant } from '../shell/tenant.ts';
import { MirrorCard } from './mirror-card.tsx';

type State = components['schemas']['RegistrationState'];

/** Whether the shop's webhook is registered at the platform; it is previewed first, since it can never be changed. */
export function WebhookPage(): ReactNode {
  const { t } = useTranslation();
  const { id: tenant, act } = useTenant();
  const query = useQuery({
    queryKey: ['webhook', tenant],
    queryFn: ({ signal }) =>
      answerOf(webhooks.GET('/api/webhook-registration', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
  });
  return (
    <Page title={t('webhook.title')}>
      <Answer query={query} app="webhook-ingest">
        {({ registrations: [state] }) =>
          state !== undefined && (
            <>
              <Known state={state} />
              {act && <Register key={tenant} tenant={tenant} />}
              <Attempts attempts={state.attempts} />
            </>
          )
        }
      </Answer>
      <MirrorCard />
    </Page>
  );
}

function Known({ state: { outcome, url, events, lastNotificationAt } }: { state: State }): ReactNode {
  const { t } = useTranslation();
  return (
    <Card title={t('webhook.state')}>
      <p className={outcome === 'registered' || outcome === 'exists-ours' ? 'note' : 'problem'}>
        {t(`webhook.outcome.${outcome}`)}
      </p>
      <Facts
        of={[
          [t('webhook.url'), <Text value={url} longest={500} />],
          [
            t('webhook.last'),
            lastNotificationAt === null ? t('webhook.never') : <Moment at={lastNotificationAt} relative />,
          ],
          [t('webhook.events'), <Text value={events?.join(', ')} longest={2_000} />],
        ]}
      />
    </Card>
  );
}

function Register({ tenant }: { tenant: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [url, setUrl] = useState('');
  const call = (isConfirmed: boolean) =>
    answerOf(webhooks.POST('/api/webhook-registration', { body: { tenant, url, events: [], confirm: isConfirmed } }));
  const previewing = useMutation({ mutationFn: () => call(false) });
  const [isDone, setIsDone] = useState(false);
  const preview = (event: FormEvent) => {
    event.preventDefault();
    previewing.mutate();
  };
  const plan = previewing.data;
  return (
    <Card title={t('webhook.register')}>
      {isDone && (
        <p className="note" role="status">
          {t('webhook.done')}
        </p>
      )}
      <form className="filters" onSubmit={preview}>
        <label>
          {t('webhook.address')}
          <input
            type="url"
            required
            size={44}
            value={url}
            onChange={({ target }) => {
              setUrl(target.value);
              previewing.reset();
            }}
          />
        </label>
        <button type="submit" disabled={previewing.isPending}>
          {t('webhook.preview')}
        </button>
      </form>
      {previewing.error !== null && <Problem error={previewing.error} app="webhook-ingest" />}
      {plan !== undefined && (
        <>
          <Sentences title={t('webhook.problems')} of={plan.problems} />
          <Sentences title={t('webhook.warnings')} of={plan.warnings} />
          <Facts
            of={[
              [t('webhook.url'), <Text value={plan.url} longest={500} />],
              [t('webhook.events'), <Text value={plan.events.join(', ')} longest={2_000} />],
            ]}
          />
          {plan.problems.length === 0 && (
            <p>
              <Confirm
                dangerous
                label={t('webhook.confirm')}
                title={t('webhook.confirmTitle')}
                run={() => call(true)}
                onDone={() => {
                  setIsDone(true);
                  void client.invalidateQueries({ queryKey: ['webhook'] });
                }}
              >
                <p>
                  <Text value={plan.permanence} />
                </p>
              </Confirm>
            </p>
          )}
        </>
      )}
    </Card>
  );
}

function Sentences({ title, of }: { title: string; of: ReadonlyArray<{ readonly message: string }> }): ReactNode {
  if (of.length === 0) return null;
  return (
    <div className="problem">
      <h3>{title}</h3>
      <ul>
        {of.map(({ message }, index) => (
          <li key={index}>
            <Text value={message} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Attempts({ attempts }: Pick<State, 'attempts'>): ReactNode {
  const { t } = useTranslation();
  return (
    <Card title={t('webhook.attempts')}>
      {attempts.length === 0 && <Empty>{t('webhook.attemptsNone')}</Empty>}
      <ul>
        {attempts.map(({ id, startedAt, outcome, url, platformMessage }) => (
          <li key={id}>
            <Moment at={startedAt} /> · {outcome === null ? t('webhook.pending') : t(`webhook.outcome.${outcome}`)}{' '}
            <span className="muted">
              <Text value={url} longest={300} /> <Text value={platformMessage ?? ' '} longest={1_000} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
