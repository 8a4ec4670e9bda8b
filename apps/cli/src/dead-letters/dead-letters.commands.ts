import { ask, command, group } from '../command-line/command.ts';
import { argument, BODY, choice, CONFIRM, LIMIT, type Input, optionalArgument } from '../command-line/inputs.ts';
import { appsOf, listOfApps } from '../command-line/list-of-apps.ts';
import { limitOf, WrongUsage } from '../command-line/option-values.ts';
import { JOB_FILTER, startJob } from '../jobs/jobs.commands.ts';
import { type Consumer, CONSUMERS } from '../operations-api/addresses.ts';
import { cell } from '../output/blocks.ts';
import { done, shown } from '../output/report.ts';
import { letterBlocks, withoutContent } from './dead-letter.ts';

const PATH = '/api/dead-letters';
const EXAMPLE_ID = 'gondola.order-command-handler/erp.orders.commands.v1/0/42';
const EXAMPLE_APP = '--app order-command-handler';
const APP = choice('--app <app>', 'optApp', CONSUMERS);
const ONE_APP = { ...APP, isRequired: true } as Input<Consumer>;
const COLUMNS = {
  deadAt: 'colDeadAt',
  app: 'colApp',
  tenant: 'colTenant',
  code: 'colReason',
  failures: 'colFailures',
  state: 'colState',
  id: 'colId',
  reason: 'colDetail',
} as const;
const LIST = { path: PATH, member: 'deadLetters', time: 'deadAt', columns: COLUMNS, flexible: 'reason' } as const;

/** The apps' dead letters: each app has its own, so `--app` says whose. */
export const DEAD_LETTERS = group('dead-letters', {
  list: command({
    inputs: { app: APP, limit: LIMIT },
    task: ({ app, limit: text }, given) => {
      const limit = limitOf(text, given.say);
      const apps = appsOf(app, CONSUMERS, given);
      return (session) => listOfApps(session, apps, { ...LIST, query: {}, limit });
    },
    examples: ['', `${EXAMPLE_APP} --limit 200 --json`],
  }),
  show: command({
    inputs: { id: argument('<id>'), app: ONE_APP, body: BODY },
    task:
      ({ id, app, body }) =>
      (session) =>
        ask(session, { app, method: 'GET', path: pathOf(id), query: { body: body ? 'true' : undefined } }, (letter) =>
          shown(body ? letter : withoutContent(letter), letterBlocks(letter, body, session.say), [
            session.say(body ? 'bodyWarning' : 'contentHidden'),
          ]),
        ),
    examples: [`${EXAMPLE_ID} ${EXAMPLE_APP} --body`],
  }),
  /**
   * Makes the app publish its stored copy byte for byte, for its own consumer group (contract, "Dead letters"): one, or
   * all that match, as a job.
   */
  redrive: command({
    inputs: { id: optionalArgument('[id]'), app: ONE_APP, ...JOB_FILTER, confirm: CONFIRM },
    task: ({ id, app, confirm, ...filter }, { say }) => {
      const [given] = Object.entries(filter).find(([, value]) => value !== undefined) ?? [];
      if (id === undefined) return startJob({ app, action: 'redrive', confirm }, filter);
      if (given !== undefined) throw new WrongUsage(say('idWithFilters', { option: `--${given}` }));
      return (session) =>
        ask(session, { app, method: 'POST', path: `${pathOf(id)}/redrive` }, (answer) =>
          done({ app, ...answer }, session.say('redriven', { app, times: cell(answer['redriven']) })),
        );
    },
    examples: [
      `${EXAMPLE_ID} ${EXAMPLE_APP}`,
      `${EXAMPLE_APP} --reason PROCESSING_FAILED --topic erp.orders.commands.v1`,
      `${EXAMPLE_APP} --reason PROCESSING_FAILED --topic erp.orders.commands.v1 --per-second 10 --confirm`,
    ],
  }),
});

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
