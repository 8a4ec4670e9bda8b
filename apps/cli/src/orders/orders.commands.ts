import { ask, call, type Command, command, group, list } from '../command-line/command.ts';
import {
  argument,
  BEFORE,
  flag,
  LIMIT,
  NUMBER,
  option,
  optionalArgument,
  required,
  TENANT,
} from '../command-line/inputs.ts';
import { durationMsOf, orderNumberOf, wholeOf } from '../command-line/option-values.ts';
import { entriesOf } from '../operations-api/operations-api.ts';
import { cell, fieldsOf, tableOrNone } from '../output/blocks.ts';
import { done, shown } from '../output/report.ts';
import { orderBlocks, timelineBlock, withTexts } from './order-blocks.ts';

const APP = 'order-command-handler';
const RECOVERIES = '/api/recoveries';

/** A command that asks as the ERP would: what came of it, the result of the asking command says. */
function asking(deed: 'refresh' | 'release'): Command {
  return command({
    inputs: { number: NUMBER, tenant: TENANT },
    task: call(APP, 'POST', `/api/orders/{number}/${deed}`, (answer, { number: order }, say) =>
      done(answer, say(`${deed}Asked`, { order, by: cell(answer['commandId']) })),
    ),
    examples: ['100234 --tenant acme'],
  });
}

type GivenOrder = Readonly<{ number: string; tenant: string | undefined }>;

const knownOrder = call<GivenOrder & { reveal: boolean }>(
  APP,
  'GET',
  '/api/orders/{number}',
  (order, { reveal }, say) => shown(order, orderBlocks(order, say), [say(reveal ? 'revealWarning' : 'masked')]),
);

/** The answer of the core service as it is: its form is not documented. */
const coreDetails = call<GivenOrder>(APP, 'GET', '/api/orders/{number}/details', (answer, _given, say) => {
  const cut = answer['truncated'] === true ? [say('detailsCut')] : [];
  return shown(answer, [{ kind: 'content', text: String(answer['details']) }], [say('revealWarning'), ...cut]);
});

const recovery = call<{ id: string }>(APP, 'GET', `${RECOVERIES}/{id}`, (run) => shown(run, [fieldsOf(run)]));

/** The numbers that the platform did not know: no order, or one that is looked for by other means. */
const givenUpNumbers = list<{ id: string; outcome: 'given-up'; limit: string | undefined; before: string | undefined }>(
  APP,
  `${RECOVERIES}/{id}/numbers`,
  {
    columns: { orderNumber: 'colOrder', lookups: 'colAttempts', concludedAt: 'colTime' },
    flexible: 'orderNumber',
  },
);

const recoveries = call<{ tenant: string | undefined }>(APP, 'GET', RECOVERIES, (answer, _given, say) => {
  const columns = {
    id: 'colId',
    tenant: 'colTenant',
    from: 'colFrom',
    to: 'colTo',
    candidates: 'colCandidates',
    found: 'colFound',
    givenUp: 'colGivenUp',
    open: 'colOpen',
    perMinute: 'colPerMinute',
    estimatedEndAt: 'colEstimatedEnd',
  } as const;
  return shown(answer, [tableOrNone(say, columns, entriesOf(answer['entries']), 'tenant')]);
});

export const ORDERS = group('orders', {
  list: command({
    inputs: {
      tenant: TENANT,
      status: option('--status <code>', 'optStatus', wholeOf),
      olderThanMs: option('--older-than <time>', 'optOlderThan', durationMsOf),
      attention: flag('--attention', 'optAttention'),
      givenUp: flag('--given-up', 'optOrdersGivenUp'),
      limit: LIMIT,
      before: BEFORE,
    },
    task: list(APP, '/api/orders', {
      columns: {
        id: 'colId',
        tenant: 'colTenant',
        orderNumber: 'colOrder',
        statusText: 'colStatus',
        statusSince: 'colSince',
        revision: 'colRevision',
        attentionText: 'colAttention',
      },
      flexible: 'statusText',
      row: withTexts,
    }),
    examples: [
      '--tenant acme',
      '--status 400 --older-than 2h',
      '--attention',
      '--given-up',
      '--status 750 --limit 500 --json',
    ],
  }),
  show: command({
    inputs: {
      number: NUMBER,
      tenant: TENANT,
      reveal: flag('--reveal', 'optReveal'),
      details: flag('--details', 'optDetails'),
    },
    task: ({ details, reveal, ...given }) => (details ? coreDetails(given) : knownOrder({ ...given, reveal })),
    examples: ['100234', '100234 --tenant acme --reveal', '100234 --details'],
  }),
  refresh: asking('refresh'),
  release: asking('release'),
  /** Starts a search for orders whose notifications were lost; the app continues it after this command ends. */
  recover: command({
    inputs: {
      from: required('--from <number>', 'optFrom', orderNumberOf),
      to: required('--to <number>', 'optTo', orderNumberOf),
      tenant: TENANT,
    },
    task: ({ tenant, from, to }) => {
      const body = { ...(tenant !== undefined && { tenant }), from: Number(from), to: Number(to) };
      return (session) =>
        ask(session, { app: APP, method: 'POST', path: RECOVERIES, body }, (run) =>
          shown(run, [fieldsOf(run)], [session.say('recoveryBegun', { id: String(run['id']) })]),
        );
    },
    examples: ['--from 100200 --to 100300', '--tenant acme --from 1 --to 900'],
  }),
  recoveries: command({
    inputs: {
      id: optionalArgument('[id]'),
      tenant: TENANT,
      givenUp: flag('--given-up', 'optGivenUp'),
      limit: LIMIT,
      before: BEFORE,
    },
    task: ({ id, tenant, givenUp, limit, before }, refusing) => {
      if (id === undefined) return recoveries({ tenant });
      return givenUp ? givenUpNumbers({ id, outcome: 'given-up', limit, before }, refusing) : recovery({ id });
    },
    examples: ['', '7 --json', '7 --given-up'],
  }),
});

/** The ERP's order commands. */
export const COMMANDS = group('commands', {
  show: command({
    inputs: { commandId: argument('<commandId>'), tenant: TENANT },
    task: call(APP, 'GET', '/api/commands/{commandId}', (answer, _given, say) => {
      const { timeline, ...rest } = answer;
      const course = timelineBlock(timeline, say);
      return shown(answer, [fieldsOf(rest), ...(course === null ? [] : [course])]);
    }),
    examples: ['c-88', 'c-88 --tenant acme --json'],
  }),
  /** Gives the command that the ERP would give; its own result shows whether it was in time. */
  withdraw: command({
    inputs: { commandId: argument('<commandId>'), tenant: TENANT },
    task: call(APP, 'POST', '/api/commands/{commandId}/withdraw', (answer, { commandId: id }, say) =>
      done(answer, say('withdrawalAsked', { id, by: cell(answer['commandId']) })),
    ),
    examples: ['c-88 --tenant acme'],
  }),
});
