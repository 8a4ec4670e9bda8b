import { Card, Facts } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Problem } from '@gondola/web-kit/ui/problem';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, webhooks } from '../api/clients.ts';
import type { components } from '../api/webhook-ingest.d.ts';
import { useTenant } from '../shell/tenant.ts';

type Mirror = components['schemas']['ShownMirror'];

/** The shop's other receiver of its notices, with its switch for who may act; nothing for a shop without one. */
export function MirrorCard(): ReactNode {
  const { id: tenant } = useTenant();
  const { data, error } = useQuery({
    queryKey: ['mirror', tenant],
    queryFn: ({ signal }) => answerOf(webhooks.GET('/api/mirror', { signal, params: { query: { tenant } } })),
    enabled: tenant !== '',
    refetchInterval: 5_000,
  });
  if (error !== null) return <Problem error={error} app="webhook-ingest" />;
  return (data?.entries ?? []).map((mirror) => <OneMirror key={mirror.tenant} mirror={mirror} />);
}

function OneMirror({ mirror }: { mirror: Mirror }): ReactNode {
  const { t } = useTranslation();
  const { act } = useTenant();
  const { receiver, waiting, oldestAt, pausedAt, pausedBy, failingSince, failure } = mirror;
  return (
    <Card title={t('mirror.title')}>
      <p className={pausedAt === null && failingSince === null ? 'note' : 'problem'}>
        {t(pausedAt !== null ? 'mirror.paused' : failingSince !== null ? 'mirror.failing' : 'mirror.sending')}
      </p>
      <Facts
        of={[
          [t('mirror.receiver'), <Text value={receiver} longest={500} />],
          [t('mirror.waiting'), waiting],
          [t('mirror.oldest'), <Since at={oldestAt} />],
          [t('mirror.pausedSince'), <Since at={pausedAt} of={pausedBy} />],
          [t('mirror.failingSince'), <Since at={failingSince} of={failure} />],
        ]}
      />
      {act && <Switch mirror={mirror} />}
    </Card>
  );
}

function Since({ at, of = null }: { at: string | null; of?: string | null }): ReactNode {
  if (at === null) return '–';
  return (
    <>
      <Moment at={at} /> <Text value={of ?? ' '} longest={100} />
    </>
  );
}

function Switch({ mirror: { tenant, pausedAt } }: { mirror: Mirror }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const deed = pausedAt === null ? 'pause' : 'resume';
  return (
    <Confirm
      label={t(`mirror.${deed}`)}
      title={t(`mirror.${deed}Title`)}
      run={() => answerOf(webhooks.POST(`/api/mirror/${deed}`, { body: { tenant } }))}
      onDone={() => void client.invalidateQueries({ queryKey: ['mirror', tenant] })}
    >
      <p>{t(`mirror.${deed}What`)}</p>
    </Confirm>
  );
}
