import { ask, call, command, group, list, type Session, type Task } from '../command-line/command.ts';
import {
  argument,
  BEFORE,
  choice,
  CONFIRM,
  type Given,
  type Input,
  LIMIT,
  option,
  TENANT,
} from '../command-line/inputs.ts';
import { filledOf, wholeOf } from '../command-line/option-values.ts';
import { type Connector, CONNECTORS } from '../operations-api/addresses.ts';
import { isEntry } from '../operations-api/operations-api.ts';
import { cell, fieldsOf } from '../output/blocks.ts';
import { done, type Report, shown } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

const PATH = '/api/jobs';
const ACTIONS = ['redrive', 'reprocess', 'discard'] as const;
const APP = { ...choice('--app <app>', 'optApp', CONNECTORS), isRequired: true } as Input<Connector>;
const ACTION = { ...choice('--action <action>', 'optAction', ACTIONS), isRequired: true } as Input<
  (typeof ACTIONS)[number]
>;

/** Selects rows of a job. */
export const JOB_FILTER = {
  tenant: TENANT,
  reason: option('--reason <code>', 'optReason'),
  topic: option('--topic <topic>', 'optJobTopic'),
  from: option('--from <time>', 'optFromTime'),
  to: option('--to <time>', 'optToTime'),
  'per-second': option('--per-second <n>', 'optPerSecond', wholeOf),
  expected: option('--expected <n>', 'optExpected', wholeOf),
};

type JobFilter = Given<typeof JOB_FILTER>;

export interface WantedJob {
  readonly app: Connector;
  readonly action: (typeof ACTIONS)[number];
  readonly note?: string | undefined;
  readonly confirm: boolean;
}

/** Says how many rows a job would change; with `confirm`, starts it. */
export function startJob({ app, action, note, confirm }: WantedJob, given: JobFilter): Task {
  const { 'per-second': pace, expected: counted, ...filter } = given;
  const perSecond = pace === undefined ? undefined : Number(pace);
  const expected = counted === undefined ? undefined : Number(counted);
  return async (session) => {
    const request = { app, method: 'POST', path: PATH } as const;
    if (!confirm) return preview(session, { ...request, path: `${PATH}/preview`, body: { action, ...filter } });
    const body = { action, ...filter, note, perSecond, expected, confirm };
    return ask(session, { ...request, body }, (job) => {
      const count = countOf(job['expected'], session.say);
      return done({ app, ...job, confirmed: true }, session.say('jobStarted', { id: cell(job['id']), count, app }));
    });
  };
}

async function preview(session: Session, request: Parameters<typeof ask>[1]): Promise<Report> {
  return ask(session, request, (counted) => {
    const flags = counted['isMore'] === true ? '--confirm' : `--confirm --expected ${cell(counted['count'])}`;
    const text = session.say('jobPreview', { count: countOf(counted, session.say), flags });
    return done({ confirmed: false, ...counted }, text);
  });
}

function countOf(counted: unknown, say: Say): string {
  const { count, isMore } = isEntry(counted) ? counted : {};
  return isMore === true ? say('moreThan', { count: cell(count) }) : cell(count);
}

/** Actions on many dead letters of an app, or entries of the quarantine of webhook-ingest. */
export const JOBS = group('jobs', {
  start: command({
    inputs: {
      app: APP,
      action: ACTION,
      ...JOB_FILTER,
      note: option('--note <text>', 'optNote', filledOf),
      confirm: CONFIRM,
    },
    task: ({ app, action, note, confirm, ...filter }) => startJob({ app, action, note, confirm }, filter),
    examples: [
      '--app webhook-ingest --action reprocess --reason NOT_STORABLE',
      '--app webhook-ingest --action discard --reason NOT_JSON --note "teste da agência / test of the agency" --confirm',
    ],
  }),
  list: command({
    inputs: { app: APP, limit: LIMIT, before: BEFORE },
    task: ({ app, ...given }, refusing) =>
      list<{ limit: string | undefined; before: string | undefined }>(app, PATH, {
        columns: {
          id: 'colId',
          startedAt: 'colBegan',
          action: 'colAction',
          state: 'colState',
          done: 'colDone',
          failed: 'colFailed',
          filter: 'colDetail',
        },
        flexible: 'filter',
      })(given, refusing),
    examples: ['--app order-command-handler'],
  }),
  show: command({
    inputs: { id: argument('<id>'), app: APP },
    task: ({ app, id }) =>
      call<{ id: string }>(app, 'GET', `${PATH}/{id}`, (job) => shown(job, [fieldsOf(job)]))({ id }),
    examples: ['3 --app order-command-handler'],
  }),
  stop: command({
    inputs: { id: argument('<id>'), app: APP },
    task: ({ app, id }) =>
      call<{ id: string }>(app, 'POST', `${PATH}/{id}/stop`, (job, _given, say) =>
        done(job, say('jobStopped', { id, state: cell(job['state']), done: cell(job['done']) })),
      )({ id }),
    examples: ['3 --app order-command-handler'],
  }),
});
