import { bytes, count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Empty } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Opened } from '@gondola/web-kit/ui/opened';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, clientOf } from '../api/clients.ts';
import type { components } from '../api/order-command-handler.d.ts';
import type { AppName } from '../api/overview.ts';
import { unlessForbidden } from '../api/unless-forbidden.ts';
import type { Tenant } from '../shell/tenant.ts';
import { useWords } from '../texts/words.ts';
import { CauseBox, Waiting } from '../ui/cause-box.tsx';
import { Paged } from '../ui/paged.tsx';
import styles from './attention.module.css';

type Group = components['schemas']['ParkedGroup'];
type ParkedRecord = components['schemas']['ParkedRecord'];

const PAGE = 20;

interface OfApp {
  app: AppName;
  /** Of all shops, as the app counts them. */
  records: number;
  tenant: Tenant;
}

/** Records of an app that Kafka refused for what they are: the shop's groups, each with its release. */
export function Parked({ app, records, tenant }: OfApp): ReactNode {
  const { t, i18n } = useTranslation();
  const query = useQuery({
    queryKey: ['parked', app, tenant.id, 'groups'],
    queryFn: ({ signal }) => groupsOf(app, tenant.id, signal),
    enabled: tenant.id !== '',
  });
  return (
    <CauseBox
      place={`parked-${app}`}
      title={t('needs.parked', { count: records, number: count(records, i18n.language) })}
      facts={t('needs.ofApp', { app: t(`app.${app}`) })}
      who="engineer"
      todo={t('needs.todo.parked')}
    >
      <Answer query={query} app={app}>
        {(groups) =>
          groups.length === 0 ? (
            <Empty>{t('needs.parkedNone')}</Empty>
          ) : (
            <ul className={styles['entries']}>
              {groups.map((group) => (
                <OneGroup
                  key={`${group.tenant} ${group.topic} ${group.reason}`}
                  app={app}
                  group={group}
                  mayAct={tenant.act}
                />
              ))}
            </ul>
          )
        }
      </Answer>
    </CauseBox>
  );
}

/** The groups of the shop, and for who may see all shops also those of which no shop is known. */
async function groupsOf(app: AppName, tenant: string, signal: AbortSignal): Promise<Group[]> {
  const read = async (query: { tenant?: string }) =>
    answerOf(clientOf(app).GET('/api/parked/groups', { signal, params: { query } }));
  const [own, all] = await Promise.all([read({ tenant }), unlessForbidden(read({}), { groups: [] })]);
  return [...own.groups, ...all.groups.filter((group) => group.tenant === null)];
}

interface Grouped {
  app: AppName;
  group: Group;
  mayAct: boolean;
}

function OneGroup({ app, group, mayAct }: Grouped): ReactNode {
  const { t, i18n } = useTranslation();
  const { named } = useWords();
  const { tenant, topic, reason } = group;
  return (
    <li>
      <p>
        <strong>
          <Text value={named(`needs.parkedReason.${reason}`, reason)} longest={200} />
        </strong>
      </p>
      <p>
        <Waiting of={group} /> · <Code of={topic} /> · <Code of={reason} />
        {tenant === null && ` · ${t('needs.noShop')}`}
      </p>
      {/* The app releases many by their shop: those of none are released one by one. */}
      {mayAct && tenant !== null && (
        <div className="actions">
          <Release
            app={app}
            title={t('needs.confirm.release')}
            run={() =>
              answerOf(clientOf(app).POST('/api/parked/release', { body: { tenant, topic, reason, confirm: true } }))
            }
          >
            {group.isMore && <p>{t('needs.what.releaseMore', { number: count(group.count, i18n.language) })}</p>}
          </Release>
        </div>
      )}
      <Opened label={t('needs.entries')}>
        <Records app={app} group={group} mayAct={mayAct} />
      </Opened>
    </li>
  );
}

interface Released {
  app: AppName;
  title: string;
  run: () => Promise<unknown>;
  children?: ReactNode;
}

function Release({ app, title, run, children }: Released): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const onDone = () => {
    void client.invalidateQueries({ queryKey: ['parked', app] });
    void client.invalidateQueries({ queryKey: ['today', app] });
  };
  return (
    <Confirm label={t('needs.release')} title={title} run={run} onDone={onDone}>
      <p>{t('needs.what.release')}</p>
      <p>{t('needs.what.releaseLate')}</p>
      {children}
    </Confirm>
  );
}

/** The records of a group, one by one, newest first. */
function Records({ app, group, mayAct }: Grouped): ReactNode {
  const { t } = useTranslation();
  const { tenant, topic, reason } = group;
  const query = useInfiniteQuery({
    queryKey: ['parked', app, tenant, topic, reason],
    queryFn: async ({ signal, pageParam }) => {
      const filter = { topic, reason, limit: PAGE, ...(tenant !== null && { tenant }) };
      const page = { ...filter, ...(pageParam !== null && { before: pageParam }) };
      const { entries, next } = await answerOf(clientOf(app).GET('/api/parked', { signal, params: { query: page } }));
      return { entries: entries.filter((entry) => entry.tenant === tenant), next };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });
  return (
    <Paged query={query} app={app} empty={<Empty>{t('needs.entriesNone')}</Empty>}>
      {(records) => (
        <ul className={styles['entries']}>
          {records.map((record) => (
            <OneRecord key={record.id} app={app} record={record} mayAct={mayAct} />
          ))}
        </ul>
      )}
    </Paged>
  );
}

function OneRecord({ app, record, mayAct }: { app: AppName; record: ParkedRecord; mayAct: boolean }): ReactNode {
  const { t, i18n } = useTranslation();
  const { id, type, subject, parkedAt } = record;
  const params = { path: { id } };
  return (
    <li>
      <p>
        {bytes(record.bytes, i18n.language)}
        {[type, subject].map(
          (about, index) =>
            about !== null && (
              <Fragment key={index}>
                {' '}
                · <Code of={about} />
              </Fragment>
            ),
        )}
      </p>
      <p className="muted">
        {t('needs.parkedAt')} <Moment at={parkedAt} /> · {t('needs.outboxId', { id })}
      </p>
      {mayAct && (
        <div className="actions">
          <Release
            app={app}
            title={t('needs.confirmOne.release')}
            run={() => answerOf(clientOf(app).POST('/api/parked/{id}/release', { params }))}
          />
        </div>
      )}
    </li>
  );
}

function Code({ of }: { of: string }): ReactNode {
  return (
    <code>
      <Text value={of} longest={500} />
    </code>
  );
}
