import { bytes } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Opened } from '@gondola/web-kit/ui/opened';
import { Raw, Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, webhooks } from '../api/clients.ts';
import type { components } from '../api/webhook-ingest.d.ts';
import type { Tenant } from '../shell/tenant.ts';
import { textOfBase64 } from '../ui/base64.ts';
import { Paged } from '../ui/paged.tsx';
import { adviceOnNotices } from './advice.ts';
import styles from './attention.module.css';
import { Bulk } from './bulk.tsx';
import { Anchor } from '../ui/anchor.tsx';
import { CauseBox, Waiting } from '../ui/cause-box.tsx';
import { useWords } from '../texts/words.ts';
import { Discard } from './discard.tsx';

type Group = components['schemas']['QuarantineGroup'];
type Entry = components['schemas']['QuarantineEntry'];

const PAGE = 20;

/** The quarantine: notices that were not understood, by their reason. */
export function Notices({ tenant }: { tenant: Tenant }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: ['quarantine', tenant.id, 'groups'],
    queryFn: ({ signal }) =>
      answerOf(webhooks.GET('/api/quarantine/groups', { signal, params: { query: { tenant: tenant.id } } })),
    enabled: tenant.id !== '',
  });
  return (
    <Anchor place="quarantine">
      <Card title={t('needs.quarantine')}>
        <Answer query={query} app="webhook-ingest">
          {({ groups }) => {
            if (groups.length === 0) return <Empty>{t('needs.quarantineNone')}</Empty>;
            const byReason = [...Map.groupBy(groups, ({ reason }) => reason)];
            const causes = byReason.map(([reason]) => ({ reason }));
            return byReason.map(([reason, its]) => (
              <OfReason key={reason} reason={reason} groups={its} causes={causes} tenant={tenant} />
            ));
          }}
        </Answer>
      </Card>
    </Anchor>
  );
}

interface Shown {
  reason: string;
  /** One for each detail. */
  groups: readonly Group[];
  causes: ReadonlyArray<{ readonly reason: string }>;
  tenant: Tenant;
}

function OfReason({ reason, groups, causes, tenant }: Shown): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  const { who, todo } = adviceOnNotices({ reason });
  const many = { app: 'webhook-ingest', tenant: tenant.id, cause: { reason }, causes } as const;
  return (
    <CauseBox
      place={`quarantine-${reason}`}
      title={word('cause', reason)}
      facts={
        <>
          <Waiting of={together(groups)} /> ·{' '}
          <Text value={groups.map(({ detail }) => detail).join(', ')} longest={500} /> · <code>{reason}</code>
        </>
      }
      who={who}
      todo={t(`needs.todo.${todo}`)}
      actions={
        tenant.act && (
          <>
            <Bulk {...many} action="reprocess" />
            <Bulk {...many} action="discard" />
          </>
        )
      }
    >
      <Opened label={t('needs.entries')}>
        <Entries tenant={tenant} reason={reason as Entry['reason']} />
      </Opened>
    </CauseBox>
  );
}

function together(groups: readonly Group[]) {
  return {
    count: groups.reduce((sum, { count }) => sum + count, 0),
    isMore: groups.some(({ isMore }) => isMore),
    oldestAt: groups.map(({ oldestAt }) => oldestAt).reduce((one, other) => (one < other ? one : other)),
    newestAt: groups.map(({ newestAt }) => newestAt).reduce((one, other) => (one > other ? one : other)),
  };
}

function Entries({ tenant, reason }: { tenant: Tenant; reason: Entry['reason'] }): ReactNode {
  const { t } = useTranslation();
  const query = useInfiniteQuery({
    queryKey: ['quarantine', tenant.id, reason],
    queryFn: ({ signal, pageParam }) => {
      const filter = { tenant: tenant.id, reason, state: 'open', limit: PAGE } as const;
      const page = { ...filter, ...(pageParam !== null && { before: pageParam }) };
      return answerOf(webhooks.GET('/api/quarantine', { signal, params: { query: page } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });
  return (
    <Paged query={query} app="webhook-ingest" empty={<Empty>{t('needs.entriesNone')}</Empty>}>
      {(entries) => (
        <ul className={styles['entries']}>
          {entries.map((entry) => (
            <OneEntry key={entry.id} entry={entry} mayAct={tenant.act} />
          ))}
        </ul>
      )}
    </Paged>
  );
}

function OneEntry({ entry, mayAct }: { entry: Entry; mayAct: boolean }): ReactNode {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const [content, setContent] = useState<string | null>(null);
  const [stays, setStays] = useState(false);
  const { id, receivedAt, detail, bodyErasedAt, bytes: length } = entry;
  const params = { path: { id } };
  const reprocess = async () => {
    const { outcome } = await answerOf(webhooks.POST('/api/quarantine/{id}/reprocess', { params }));
    setStays(outcome === 'still-quarantined');
  };
  const show = async () => {
    const options = { params: { ...params, query: { body: 'true' as const } } };
    const { bodyBase64 } = await answerOf(webhooks.GET('/api/quarantine/{id}', options));
    setContent(typeof bodyBase64 === 'string' ? textOfBase64(bodyBase64) : t('notifications.gone'));
  };
  const onDone = () => void client.invalidateQueries({ queryKey: ['quarantine'] });
  return (
    <li>
      <p>
        <Text value={detail} longest={2_000} />
      </p>
      <p className="muted">
        <Moment at={receivedAt} /> · {t('needs.notice', { id })} · {bytes(length, i18n.language)}
        {bodyErasedAt !== null && ` · ${t('needs.erased')}`}
      </p>
      {stays && <p role="status">{t('needs.stays')}</p>}
      {mayAct && (
        <div className="actions">
          {bodyErasedAt === null && (
            <Confirm
              label={t('needs.reprocess')}
              title={t('needs.confirmOne.reprocess')}
              run={reprocess}
              onDone={onDone}
            >
              <p>{t('needs.what.reprocess')}</p>
            </Confirm>
          )}
          <Discard
            run={(note) => answerOf(webhooks.POST('/api/quarantine/{id}/discard', { params, body: { note } }))}
            onDone={onDone}
          />
          {content === null && bodyErasedAt === null && (
            <Confirm label={t('needs.show')} title={t('needs.showTitle')} run={show}>
              <p>{t('needs.showWhat')}</p>
            </Confirm>
          )}
        </div>
      )}
      {content !== null && <Raw value={content} />}
    </li>
  );
}
