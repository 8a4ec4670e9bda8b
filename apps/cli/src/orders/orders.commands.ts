import type { Command } from 'commander';
import { type Choose, examples, group } from '../command-line/command-help.adapter.ts';
import { durationMsOf, limitOf, orderNumberOf, wholeOf } from '../command-line/option-values.ts';
import { ask, done, list, type Task } from '../command-line/task.ts';
import { cell } from '../output/blocks.ts';
import { EXIT } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { orderBlocks, withTexts } from './order-blocks.ts';
import { recoveryCommands } from './recovery.commands.ts';

const APP = 'order-command-handler';
const PATH = '/api/orders';

interface ListOptions {
  tenant?: string;
  status?: string;
  olderThan?: string;
  attention?: true;
  limit?: string;
  before?: string;
}

interface ShowOptions {
  tenant?: string;
  reveal?: true;
}

export function orderCommands(program: Command, say: Say, choose: Choose): void {
  const orders = group(program, 'orders', say('orders'), say);
  const listing = orders
    .command('list')
    .description(say('ordersList'))
    .usage(say('usageOptions'))
    .option('--tenant <id>', say('optTenant'))
    .option('--status <code>', say('optStatus'))
    .option('--older-than <time>', say('optOlderThan'))
    .option('--attention', say('optAttention'))
    .option('--limit <n>', say('optLimit'))
    .option('--before <id>', say('optBefore'))
    .action((options: ListOptions) => choose(listOrders(options, say)));
  examples(listing, say, [
    'orders list --tenant acme',
    'orders list --status 400 --older-than 2h',
    'orders list --attention',
    'orders list --status 750 --limit 500 --json',
  ]);

  const show = orders
    .command('show <number>')
    .description(say('ordersShow'))
    .usage(`<number> ${say('usageOptions')}`)
    .option('--tenant <id>', say('optTenant'))
    .option('--reveal', say('optReveal'))
    .action((number: string, options: ShowOptions) =>
      choose(showOrder(orderNumberOf(number, say, '<number>'), options)),
    );
  examples(show, say, ['orders show 100234', 'orders show 100234 --tenant acme --reveal']);

  for (const [deed, about] of [
    ['refresh', 'ordersRefresh'],
    ['release', 'ordersRelease'],
  ] as const) {
    const asking = orders
      .command(`${deed} <number>`)
      .description(say(about))
      .usage(`<number> ${say('usageOptions')}`)
      .option('--tenant <id>', say('optTenant'))
      .action((number: string, { tenant }: { tenant?: string }) =>
        choose(askForCommand(deed, orderNumberOf(number, say, '<number>'), tenant)),
      );
    examples(asking, say, [`orders ${deed} 100234 --tenant acme`]);
  }

  recoveryCommands(orders, say, choose);
}

function listOrders({ tenant, before, ...given }: ListOptions, say: Say): Task {
  const query = {
    tenant,
    status: wholeOf('--status', given.status, say),
    olderThanMs: durationMsOf('--older-than', given.olderThan, say),
    attention: given.attention && 'true',
    before,
  };
  const limit = limitOf(given.limit, say);
  return (session) =>
    list(
      session,
      { app: APP, path: PATH, query, member: 'entries', limit },
      {
        columns: [
          [say('colId'), 'id'],
          [say('colTenant'), 'tenant'],
          [say('colOrder'), 'orderNumber'],
          [say('colStatus'), 'statusText'],
          [say('colSince'), 'statusSince'],
          [say('colRevision'), 'revision'],
          [say('colAttention'), 'attentionText'],
        ],
        flexible: 'statusText',
        shown: withTexts,
      },
    );
}

/** Shows the timeline of an order, oldest entry first. */
function showOrder(number: string, { tenant, reveal }: ShowOptions): Task {
  const query = { tenant, ...(reveal && { reveal: 'true' }) };
  return async (session) => {
    const { say } = session;
    return await ask(session, { app: APP, method: 'GET', path: `${PATH}/${number}`, query }, (order) => ({
      json: order,
      blocks: orderBlocks(order, say),
      notes: [say(reveal ? 'revealWarning' : 'masked')],
      exit: EXIT.done,
    }));
  };
}

/** Asks as the ERP would: what came of it, the result of the asking command says. */
function askForCommand(deed: 'refresh' | 'release', number: string, tenant: string | undefined): Task {
  const body = tenant === undefined ? {} : { tenant };
  return async (session) => {
    const request = { app: APP, method: 'POST', path: `${PATH}/${number}/${deed}`, body } as const;
    return await ask(session, request, (answer) =>
      done(answer, session.say(`${deed}Asked`, { order: number, by: cell(answer['commandId']) })),
    );
  };
}
