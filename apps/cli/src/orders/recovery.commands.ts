import type { Command } from 'commander';
import { type Choose, examples } from '../command-line/command-help.adapter.ts';
import { orderNumberOf } from '../command-line/option-values.ts';
import { ask, type Task } from '../command-line/task.ts';
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

/** Orders whose notifications were lost: to look for them, and how far that is. */
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
    .action((id: string | undefined, { tenant }: { tenant?: string }) =>
      choose(id === undefined ? listRecoveries(tenant, say) : showRecovery(id)),
    );
  examples(recoveries, say, ['orders recoveries', 'orders recoveries 7 --json']);
}

/** The readings go on in the app, whether or not somebody looks. */
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
