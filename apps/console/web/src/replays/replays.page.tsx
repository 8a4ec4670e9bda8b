import { count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Empty } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Page } from '@gondola/web-kit/ui/page';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answerOf, clientOf } from '../api/clients.ts';
import type { components } from '../api/order-command-handler.d.ts';
import styles from '../loads/loads.module.css';
import { useTenant } from '../shell/tenant.ts';

const TOPICS = {
  'erp.orders.events.v1': 'order-command-handler',
  'erp.orders.results.v1': 'order-command-handler',
  'erp.files.results.v1': 'file-gateway',
  'erp.catalog.results.v1': 'catalog-publisher',
  'catalog.skus.v1': 'catalog-publisher',
} as const;
type Topic = keyof typeof TOPICS;
type App = (typeof TOPICS)[Topic];
const APPS = [...new Set(Object.values(TOPICS))];
const REFRESH_MS = 2_000;

/** Records that are published again for an ERP that lost them, and how far each replay is. */
export function ReplaysPage(): ReactNode {
  const { t } = useTranslation();
  const { id: tenant, act } = useTenant();
  const queries = useQueries({
    queries: APPS.map((app) => ({
      queryKey: ['replays', app, tenant],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        answerOf(clientOf(app).GET('/api/replays', { signal, params: { query: { tenant } } })),
      refetchInterval: REFRESH_MS,
      enabled: tenant !== '',
    })),
  });
  return (
    <Page title={t('replays.title')}>
      <p className="muted">{t('replays.what')}</p>
      {act && <Start tenant={tenant} />}
      {APPS.map((app, index) => (
        <Answer key={app} query={queries[index]!} app={app}>
          {({ entries }) => (
            <div className="card">
              <h2>{t(`app.${app}`)}</h2>
              {entries.length === 0 && <Empty>{t('replays.none')}</Empty>}
              {entries.map((replay) => (
                <Replay key={replay.id} app={app} replay={replay} mayAct={act} />
              ))}
            </div>
          )}
        </Answer>
      ))}
    </Page>
  );
}

function Start({ tenant }: { tenant: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [topic, setTopic] = useState<Topic>('erp.orders.events.v1');
  const [since, setSince] = useState('');
  const [order, setOrder] = useState('');
  const isUsable = !Number.isNaN(Date.parse(since)) && /^\d*$/.test(order);
  const start = () => {
    const orderNumber = order === '' ? {} : { orderNumber: order };
    const body = { topic, since: new Date(since).toISOString(), tenant, ...orderNumber, perSecond: 200 };
    return answerOf(clientOf(TOPICS[topic]).POST('/api/replays', { body }));
  };
  return (
    <div className="filters">
      <label>
        {t('replays.topic')}
        <select value={topic} onChange={({ target }) => setTopic(target.value as Topic)}>
          {Object.keys(TOPICS).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        {t('replays.since')}
        <input type="datetime-local" value={since} onChange={({ target }) => setSince(target.value)} />
      </label>
      <label>
        {t('replays.order')}
        <input inputMode="numeric" value={order} onChange={({ target }) => setOrder(target.value.trim())} />
      </label>
      <Confirm
        label={t('replays.start')}
        title={t('replays.confirmTitle', { topic })}
        disabled={!isUsable}
        run={start}
        onDone={() => void client.invalidateQueries({ queryKey: ['replays'] })}
      >
        <p>{t('replays.confirmWhat')}</p>
      </Confirm>
    </div>
  );
}

interface Shown {
  readonly app: App;
  readonly replay: components['schemas']['ShownReplay'];
  readonly mayAct: boolean;
}

function Replay({ app, replay, mayAct }: Shown): ReactNode {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const { id, topic, to, orderNumber, since, state, read, toRead, sent, erased, missingBefore, problem } = replay;
  const number = (value: number) => count(value, i18n.language);
  const progress = t('replays.progress', { sent: number(sent), read: number(read), toRead: number(toRead) });
  const params = { path: { id }, query: { tenant: replay.tenant ?? '' } };
  const [label, change] =
    state === 'running' ? (['replays.stop', 'stop'] as const) : (['replays.resume', 'resume'] as const);
  return (
    <div className={styles['load']}>
      <p>
        <strong>{topic}</strong> {to !== topic && `→ ${to} `}
        {orderNumber !== null && `· ${t('replays.order')} ${orderNumber} `}· {t('replays.since')} <Moment at={since} />{' '}
        <span className={state === 'stopped' ? 'tag attention' : 'tag'}>{t(`replays.state.${state}`)}</span>
      </p>
      <progress max={Math.max(toRead, 1)} value={toRead === 0 ? 1 : read} aria-label={progress} />
      <p>
        {progress}
        {erased > 0 && ` · ${t('replays.erased', { erased: number(erased) })}`}
        {problem !== null && ` · ${t('replays.problem', { problem })}`}
        {missingBefore !== null && (
          <>
            {' · '}
            {t('replays.missing')} <Moment at={missingBefore} />
          </>
        )}
      </p>
      {mayAct && state !== 'finished' && (
        <Confirm
          label={t(label)}
          title={t(label)}
          run={() => answerOf(clientOf(app).POST(`/api/replays/{id}/${change}`, { params }))}
          onDone={() => void client.invalidateQueries({ queryKey: ['replays'] })}
        >
          <p>{progress}</p>
        </Confirm>
      )}
    </div>
  );
}
