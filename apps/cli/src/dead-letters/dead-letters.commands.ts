import { ask, command, group, type Session } from '../command-line/command.ts';
import { argument, BODY, choice, CONFIRM, LIMIT, type Input, optionalArgument } from '../command-line/inputs.ts';
import { limitOf, WrongUsage } from '../command-line/option-values.ts';
import { JOB_FILTER, startJob } from '../jobs/jobs.commands.ts';
import { type Consumer, CONSUMERS } from '../operations-api/addresses.ts';
import { type Listed, listPages } from '../operations-api/list-pages.ts';
import type { Entry } from '../operations-api/operations-api.ts';
import { cell, tableOrNone } from '../output/blocks.ts';
import { explainFailure } from '../output/explain-failure.ts';
import { done, EXIT, type Report, shown } from '../output/report.ts';
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

/** The apps' dead letters: each app has its own, so `--app` says whose. */
export const DEAD_LETTERS = group('dead-letters', {
  list: command({
    inputs: { app: APP, limit: LIMIT },
    task: ({ app, limit: text }, { apiUrl, say }) => {
      const limit = limitOf(text, say);
      if (app === undefined && apiUrl !== undefined) throw new WrongUsage(say('apiUrlWithoutApp'));
      return (session) => listDeadLetters(session, app === undefined ? CONSUMERS : [app], limit);
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

/**
 * Asks all apps at once, because each stores its own dead letters. If one does not answer, the others are still
 * listed.
 */
async function listDeadLetters({ api, say }: Session, apps: readonly Consumer[], limit: number): Promise<Report> {
  const results = await Promise.all(
    apps.map(async (app) => ({
      app,
      result: await listPages(api, { app, path: PATH, query: {}, member: 'deadLetters', limit }),
    })),
  );
  const listed = results.flatMap(({ app, result }) => (result.kind === 'listed' ? [{ app, ...result }] : []));
  const failed = results.flatMap(({ app, result }) =>
    result.kind === 'listed' ? [] : [{ app, ...explainFailure(result, say) }],
  );
  const all = newestFirst(listed);
  const deadLetters = all.slice(0, limit);
  const more = all.length > limit || listed.some(({ next }) => next !== null);
  const notes = failed.map(({ message }) => message);
  if (more) notes.push(say('moreLimit'));
  if (failed.length > 0 && listed.length > 0)
    notes.push(say('partly', { apps: failed.map(({ app }) => app).join(', ') }));
  return {
    json: { deadLetters, more, failed: failed.map(({ app, code, message }) => ({ app, code, message })) },
    blocks: listed.length === 0 ? [] : [tableOrNone(say, COLUMNS, deadLetters, 'reason')],
    notes,
    exit: failed[0]?.exit ?? EXIT.done,
  };
}

function newestFirst(lists: ReadonlyArray<Listed & { app: Consumer }>): Entry[] {
  return lists
    .flatMap(({ app, entries }) => entries.map((entry): Entry => ({ app, ...entry })))
    .toSorted((one, other) => compare(String(other['deadAt']), String(one['deadAt'])));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}
