import type { Command } from 'commander';
import { type Choose, examples } from '../command-line/command-help.adapter.ts';
import { limitOf, orderNumberOf } from '../command-line/option-values.ts';
import { ask, list, type Task } from '../command-line/task.ts';
import type { Entry } from '../operations-api/operations-api.ts';
import { fieldsOf, tableOf } from '../output/blocks.ts';
import { EXIT, type Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';

const APP = 'order-command-handler';
const PATH = '/api/recoveries';

interface RecoverOptions {
  from: string;
  to: string;
  tenant?: string;
}

interface RecoveriesOptions {
  tenant?: string;
  givenUp?: true;
  limit?: string;
  before?: string;
}

/** Recovers orders whose notifications were lost: starts a search and shows its progress. */
export function recoveryCommands(orders: Command, say: Say, choose: Choose): void {
  const recover = orders
    .command('recover')
    .description(say('ordersRecover'))
    .usage(say('usageOptions'))
    .requiredOption('--from <number>', say('optFrom'))
    .requiredOption('--to <number>', say('optTo'))
    .option('--tenant <id>', say('optTenant'))
    .action((options: RecoverOptions) => choose(recoverOrders(options, say)));
  examples(recover, say, [
    'orders recover --from 100200 --to 100300',
    'orders recover --tenant acme --from 1 --to 900',
  ]);

  const recoveries = orders
    .command('recoveries [id]')
    .description(say('ordersRecoveries'))
    .usage(`[id] ${say('usageOptions')}`)
    .option('--tenant <id>', say('optTenant'))
    .option('--given-up', say('optGivenUp'))
    .option('--limit <n>', say('optLimit'))
    .option('--before <id>', say('optBefore'))
    .action((id: string | undefined, options: RecoveriesOptions) => choose(recoveriesTask(id, options, say)));
  examples(recoveries, say, ['orders recoveries', 'orders recoveries 7 --json', 'orders recoveries 7 --given-up']);
}

/** Starts a recovery; the app continues it after this command ends. */
function recoverOrders({ tenant, ...given }: RecoverOptions, say: Say): Task {
  const from = Number(orderNumberOf(given.from, say, '--from'));
  const to = Number(orderNumberOf(given.to, say, '--to'));
  const body = { ...(tenant !== undefined && { tenant }), from, to };
  return (session) =>
    ask(session, { app: APP, method: 'POST', path: PATH, body }, (run) => ({
      ...recoveryReport(run),
      notes: [session.say('recoveryBegun', { id: String(run['id']) })],
    }));
}

function recoveriesTask(id: string | undefined, { tenant, ...options }: RecoveriesOptions, say: Say): Task {
  if (id === undefined) return listRecoveries(tenant, say);
  return options.givenUp === true ? listGivenUp(id, options, say) : showRecovery(id);
}

/** The numbers that the platform did not know: no order, or one that is looked for by other means. */
function listGivenUp(id: string, { limit, before }: RecoveriesOptions, say: Say): Task {
  const path = `${PATH}/${encodeURIComponent(id)}/numbers`;
  const listing = { app: APP, path, query: { outcome: 'given-up', before }, member: 'entries' } as const;
  const columns = [
    [say('colOrder'), 'orderNumber'],
    [say('colAttempts'), 'lookups'],
    [say('colTime'), 'concludedAt'],
  ] as const;
  const shown = { ...listing, limit: limitOf(limit, say) };
  return (session) => list(session, shown, { columns, flexible: 'orderNumber' });
}

function showRecovery(id: string): Task {
  return (session) =>
    ask(session, { app: APP, method: 'GET', path: `${PATH}/${encodeURIComponent(id)}` }, recoveryReport);
}

function recoveryReport(run: Entry): Report {
  return { json: run, blocks: [fieldsOf(run)], notes: [], exit: EXIT.done };
}

function listRecoveries(tenant: string | undefined, say: Say): Task {
  return (session) =>
    ask(session, { app: APP, method: 'GET', path: PATH, query: { tenant } }, (answer) => {
      const runs = Array.isArray(answer['entries']) ? (answer['entries'] as Entry[]) : [];
      const table = tableOf(
        runs,
        [
          [say('colId'), 'id'],
          [say('colTenant'), 'tenant'],
          [say('colFrom'), 'from'],
          [say('colTo'), 'to'],
          [say('colCandidates'), 'candidates'],
          [say('colFound'), 'found'],
          [say('colGivenUp'), 'givenUp'],
          [say('colOpen'), 'open'],
          [say('colPerMinute'), 'perMinute'],
          [say('colEstimatedEnd'), 'estimatedEndAt'],
        ],
        'tenant',
      );
      const block = runs.length === 0 ? ({ kind: 'line', text: say('none') } as const) : table;
      return { json: answer, blocks: [block], notes: [], exit: EXIT.done };
    });
}
