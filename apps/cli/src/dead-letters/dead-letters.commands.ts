import { act, call, command, group } from '../command-line/command.ts';
import { appOf, argument, BODY, CONFIRM, LIMIT, mandatory, optionalArgument } from '../command-line/inputs.ts';
import { listOfApps } from '../command-line/list-of-apps.ts';
import { refuseBesideId } from '../command-line/option-values.ts';
import { JOB_FILTER, startJob } from '../jobs/jobs.commands.ts';
import { shown } from '../output/report.ts';
import { letterBlocks, withoutContent } from './dead-letter.ts';

const EXAMPLE_ID = 'gondola.order-command-handler/erp.orders.commands.v1/0/42';
const EXAMPLE_APP = '--app order-command-handler';

const redriveOne = act(
  'dead-letters redrive',
  {
    pt: 'O registro foi publicado de novo, só para o {app} ({redriven}ª vez).',
    en: 'The record was published again, only for {app} (time {redriven}).',
  },
  { document: (answer, { app }) => ({ app, ...answer }) },
);

/** The apps' dead letters: each app has its own, so `--app` says whose. */
export const DEAD_LETTERS = group('dead-letters', {
  list: command({
    inputs: { app: appOf('dead-letters list'), limit: LIMIT },
    task: listOfApps('dead-letters list', {
      member: 'deadLetters',
      newest: 'deadAt',
      columns: {
        deadAt: { pt: 'DESDE', en: 'SINCE' },
        app: 'colApp',
        tenant: 'colTenant',
        code: 'colReason',
        failures: 'colFailures',
        state: 'colState',
        id: 'colId',
        reason: 'colDetail',
      },
      flexible: 'reason',
    }),
    examples: ['', `${EXAMPLE_APP} --limit 200 --json`],
  }),
  show: command({
    inputs: { id: argument('<id>'), app: mandatory(appOf('dead-letters show')), body: BODY },
    task: call('dead-letters show', (letter, { body: asked }, say) => {
      const body = asked === true;
      const notes = [say(body ? 'bodyWarning' : 'contentHidden')];
      return shown(body ? letter : withoutContent(letter), letterBlocks(letter, body, say), notes);
    }),
    examples: [`${EXAMPLE_ID} ${EXAMPLE_APP} --body`],
  }),
  /**
   * Makes the app publish its stored copy byte for byte, for its own consumer group (contract, "Dead letters"): one, or
   * all that match, as a job.
   */
  redrive: command({
    inputs: {
      id: optionalArgument('[id]'),
      app: mandatory(appOf('dead-letters redrive')),
      ...JOB_FILTER,
      confirm: CONFIRM,
    },
    task: ({ id, app, confirm, ...filter }, { say }) => {
      if (id === undefined) return startJob({ app, action: 'redrive', confirm }, filter);
      refuseBesideId(filter, say);
      return redriveOne({ id, app });
    },
    examples: [
      `${EXAMPLE_ID} ${EXAMPLE_APP}`,
      `${EXAMPLE_APP} --reason PROCESSING_FAILED --topic erp.orders.commands.v1`,
      `${EXAMPLE_APP} --reason PROCESSING_FAILED --topic erp.orders.commands.v1 --per-second 10 --confirm`,
    ],
  }),
});
