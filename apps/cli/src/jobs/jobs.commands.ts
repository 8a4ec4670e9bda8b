import { act, call, command, group, list, type Task } from '../command-line/command.ts';
import {
  appOf,
  argument,
  BEFORE,
  choice,
  CONFIRM,
  type Given,
  LIMIT,
  mandatory,
  option,
  TENANT,
} from '../command-line/inputs.ts';
import { filledOf, wholeOf } from '../command-line/option-values.ts';
import { isEntry } from '../operations-api/operations-api.ts';
import type { AppOf } from '../operations-api/requests.ts';
import { cell } from '../output/blocks.ts';
import { done } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

const ACTIONS = ['redrive', 'reprocess', 'discard'] as const;
const APP = mandatory(appOf('jobs start'));

/** Selects rows of a job. */
export const JOB_FILTER = {
  tenant: TENANT,
  reason: option('--reason <code>', { pt: 'motivo, por exemplo NOT_JSON', en: 'reason, for example NOT_JSON' }),
  topic: option('--topic <topic>', { pt: 'só dead letters deste tópico', en: 'only dead letters of this topic' }),
  from: option('--from <time>', {
    pt: 'só o que chegou a partir deste horário, por exemplo 2026-11-26T08:00:00Z',
    en: 'only what came at or after this time, for example 2026-11-26T08:00:00Z',
  }),
  to: option('--to <time>', { pt: 'só o que chegou antes deste horário', en: 'only what came before this time' }),
  'per-second': option(
    '--per-second <n>',
    { pt: 'maior quantidade por segundo (padrão 50)', en: 'largest number in a second (default 50)' },
    wholeOf,
  ),
  expected: option(
    '--expected <n>',
    {
      pt: 'quantas a prévia contou; se houver mais no início, nenhuma é alterada',
      en: 'rows that the preview counted; a start that finds more changes none',
    },
    wholeOf,
  ),
};

type JobFilter = Given<typeof JOB_FILTER>;

export interface WantedJob {
  readonly app: AppOf<'jobs start'>;
  readonly action: (typeof ACTIONS)[number];
  readonly note?: string | undefined;
  readonly confirm: boolean;
}

/** Says how many rows a job would change; with `confirm`, starts it. */
export function startJob({ app, action, note, confirm }: WantedJob, given: JobFilter): Task {
  const { 'per-second': pace, expected: counted, ...filter } = given;
  if (!confirm) return preview({ app, action, ...filter });
  const perSecond = pace === undefined ? undefined : Number(pace);
  const expected = counted === undefined ? undefined : Number(counted);
  return begin({ app, action, ...filter, note, perSecond, expected, confirm });
}

const preview = call('jobs start/preview', (counted, _given, say) => {
  const flags = counted['isMore'] === true ? '--confirm' : `--confirm --expected ${cell(counted['count'])}`;
  return done({ confirmed: false, ...counted }, say('jobPreview', { count: countOf(counted, say), flags }));
});

const begin = call('jobs start', (job, { app }, say) => {
  const text = say('jobStarted', { id: cell(job['id']), count: countOf(job['expected'], say), app });
  return done({ app, ...job, confirmed: true }, text);
});

function countOf(counted: unknown, say: Say): string {
  const { count, isMore } = isEntry(counted) ? counted : {};
  return isMore === true ? say('moreThan', { count: cell(count) }) : cell(count);
}

/** Actions on many dead letters of an app, or entries of the quarantine of webhook-ingest. */
export const JOBS = group('jobs', {
  start: command({
    inputs: {
      app: APP,
      action: mandatory(choice('--action <action>', { pt: 'ação: {choices}', en: 'action: {choices}' }, ACTIONS)),
      ...JOB_FILTER,
      note: option('--note <text>', { pt: 'motivo do descarte', en: 'reason for discarding the entry' }, filledOf),
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
    task: list('jobs list', {
      columns: {
        id: 'colId',
        startedAt: 'colBegan',
        action: { pt: 'AÇÃO', en: 'ACTION' },
        state: 'colState',
        done: { pt: 'FEITO', en: 'DONE' },
        failed: { pt: 'FALHOU', en: 'FAILED' },
        filter: 'colDetail',
      },
      flexible: 'filter',
    }),
    examples: ['--app order-command-handler'],
  }),
  show: command({
    inputs: { id: argument('<id>'), app: APP },
    task: call('jobs show'),
    examples: ['3 --app order-command-handler'],
  }),
  stop: command({
    inputs: { id: argument('<id>'), app: APP },
    task: act('jobs stop', {
      pt: 'O trabalho {id} está {state}; {done} foram alterados.',
      en: 'Job {id} is {state}; {done} were changed.',
    }),
    examples: ['3 --app order-command-handler'],
  }),
});
