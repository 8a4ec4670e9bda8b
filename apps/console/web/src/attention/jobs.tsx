import { count } from '@gondola/web-kit/format/amounts';
import { Answer } from '@gondola/web-kit/ui/answer';
import { Card, Empty } from '@gondola/web-kit/ui/card';
import { Confirm } from '@gondola/web-kit/ui/confirm';
import { Opened } from '@gondola/web-kit/ui/opened';
import { Text } from '@gondola/web-kit/ui/text';
import { Moment } from '@gondola/web-kit/ui/times';
import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { APPS, type AppName } from '../api/overview.ts';
import loads from '../loads/loads.module.css';
import type { Tenant } from '../shell/tenant.ts';
import { Anchor } from '../ui/anchor.tsx';
import { useWords } from '../texts/words.ts';
import { type Job, jobsOf, stopJob } from './waiting.ts';

const RUNNING_MS = 2_000;
const IDLE_MS = 5_000;
const SECOND_MS = 1_000;

interface JobOfApp {
  readonly app: AppName;
  readonly job: Job;
}

interface KnownJobs {
  readonly queries: ReadonlyArray<UseQueryResult<readonly Job[]>>;
  readonly running: readonly JobOfApp[];
  /** Newest first. */
  readonly ended: readonly JobOfApp[];
}

export function useJobs(tenant: Tenant): KnownJobs {
  const queries = useQueries({
    queries: APPS.map((app) => ({
      queryKey: ['jobs', app, tenant.id],
      queryFn: ({ signal }: { signal: AbortSignal }) => jobsOf(app, tenant.id, signal),
      refetchInterval: ({ state }: { state: { data?: readonly Job[] | undefined } }) =>
        state.data?.some(({ state: of }) => of === 'running') === true ? RUNNING_MS : IDLE_MS,
      enabled: tenant.id !== '',
    })),
  });
  const jobs = APPS.flatMap((app, index) => (queries[index]?.data ?? []).map((job): JobOfApp => ({ app, job })));
  const ended = jobs.filter((job) => !isRunning(job));
  return {
    queries,
    running: jobs.filter(isRunning),
    ended: ended.toSorted((one, other) => (one.job.startedAt < other.job.startedAt ? 1 : -1)),
  };
}

/** Actions on many that are under way, each with its progress and a stop, and below them those that ended. */
export function Jobs({ jobs: { queries, running, ended }, tenant }: { jobs: KnownJobs; tenant: Tenant }): ReactNode {
  const { t } = useTranslation();
  const shown = (of: readonly JobOfApp[]) =>
    of.map(({ app, job }) => <OneJob key={`${app} ${job.id}`} app={app} job={job} mayAct={tenant.act} />);
  return (
    <Anchor place="jobs">
      <Card title={t('needs.jobs')}>
        {APPS.map((app, index) => (
          <Answer key={app} query={queries[index]!} app={app}>
            {() => null}
          </Answer>
        ))}
        {queries.every(({ data }) => data !== undefined) && running.length === 0 && (
          <Empty>{t('needs.jobsNone')}</Empty>
        )}
        {shown(running)}
        {ended.length > 0 && <Opened label={t('needs.jobsEnded')}>{shown(ended)}</Opened>}
      </Card>
    </Anchor>
  );
}

function isRunning({ job }: JobOfApp): boolean {
  return job.state === 'running';
}

function OneJob({ app, job, mayAct }: JobOfApp & { mayAct: boolean }): ReactNode {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const { action, done, failed, expected, state, startedAt, finishedAt, perSecond, requestedBy, note } = job;
  const number = (value: number) => count(value, i18n.language);
  const progress = t('needs.progress', {
    done: number(done),
    failed: number(failed),
    total: `${number(expected.count)}${expected.isMore ? '+' : ''}`,
  });
  const left = Math.max(0, expected.count - done - failed);
  return (
    <div className={loads['load']}>
      <p>
        <strong>{t(`needs.${action}`)}</strong> · {t(`app.${app}`)} · <What filter={job.filter} />{' '}
        <span className={state === 'stopped' ? 'tag attention' : 'tag'}>{t(`needs.jobState.${state}`)}</span>
      </p>
      <progress max={Math.max(expected.count, done + failed, 1)} value={done + failed} aria-label={progress} />
      <p>
        {progress} · {t('needs.perSecond', { count: perSecond })}
        {state === 'running' && !expected.isMore && (
          <>
            {' '}
            · {t('load.endsAt')} <Moment at={new Date(Date.now() + (left / perSecond) * SECOND_MS)} />
          </>
        )}
      </p>
      <p className="muted">
        <Text value={requestedBy ?? t('needs.nobody')} longest={100} /> · {t('needs.began')} <Moment at={startedAt} />
        {finishedAt !== null && (
          <>
            {' '}
            · {t(`needs.jobState.${state}`)} <Moment at={finishedAt} />
          </>
        )}
        {note !== '' && (
          <>
            {' '}
            · <Text value={note} longest={500} />
          </>
        )}
      </p>
      {state === 'running' && mayAct && (
        <p>
          <Confirm
            label={t('needs.stop')}
            title={t('needs.stopTitle')}
            run={() => stopJob(app, job)}
            onDone={() => void client.invalidateQueries({ queryKey: ['jobs', app] })}
          >
            <p>{t('needs.stopWhat')}</p>
            <p>{progress}</p>
          </Confirm>
        </p>
      )}
    </div>
  );
}

/** The filter of a job, in words. */
function What({ filter: { reason, topic, from, to } }: { filter: Job['filter'] }): ReactNode {
  const { t } = useTranslation();
  const { word } = useWords();
  return (
    <>
      <Text value={reason === undefined ? t('needs.everyCause') : word('cause', reason)} longest={200} />
      {topic !== undefined && (
        <>
          {' '}
          · <Text value={topic} longest={200} />
        </>
      )}
      {from !== undefined && (
        <>
          {' '}
          · {t('needs.from')} <Moment at={from} />
        </>
      )}
      {to !== undefined && (
        <>
          {' '}
          · {t('needs.to')} <Moment at={to} />
        </>
      )}
    </>
  );
}
