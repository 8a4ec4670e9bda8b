import type { Command } from 'commander';
import { NOTIFICATION_STATES } from '../domain/action.ts';
import { choiceOf, filledOf, limitOf, orderNumberOf } from '../domain/option-values.ts';
import type { Say } from '../domain/texts/texts.ts';
import { type Choose, examples, group } from './command-help.ts';
import { quarantineCommands } from './quarantine.commands.ts';

interface ListOptions {
  tenant?: string;
  order?: string;
  operation?: string;
  event?: string;
  entity?: string;
  state?: string;
  limit?: string;
  before?: string;
}

export function notificationCommands(program: Command, say: Say, choose: Choose): void {
  const notifications = group(program, 'notifications', say('notifications'), say);
  listCommand(notifications, say, choose);

  const show = notifications
    .command('show <id>')
    .description(say('notificationsShow'))
    .usage(`<id> ${say('usageOptions')}`)
    .option('--body', say('optBody'))
    .action((id: string, { body }: { body?: true }) => choose({ kind: 'notifications-show', id, body: body === true }));
  examples(show, say, ['notifications show 4711', 'notifications show 4711 --body']);

  quarantineCommands(notifications, say, choose);

  const erase = notifications
    .command('erase')
    .description(say('notificationsErase'))
    .usage(say('usageOptions'))
    .requiredOption('--tenant <id>', say('optTenant'))
    .requiredOption('--order <number>', say('optOrder'))
    .option('--confirm', say('optConfirm'))
    .action(({ tenant, order, confirm }: { tenant: string; order: string; confirm?: true }) =>
      choose({
        kind: 'order-erase',
        tenant: filledOf('--tenant', tenant, say),
        orderNumber: orderNumberOf(order, say),
        confirm: confirm === true,
      }),
    );
  examples(erase, say, [
    'notifications erase --tenant acme --order 100234',
    'notifications erase --tenant acme --order 100234 --confirm',
  ]);
}

function listCommand(notifications: Command, say: Say, choose: Choose): void {
  const list = notifications
    .command('list')
    .description(say('notificationsList'))
    .usage(say('usageOptions'))
    .option('--tenant <id>', say('optTenant'))
    .option('--order <number>', say('optOrder'))
    .option('--operation <id>', say('optOperation'))
    .option('--event <name>', say('optEvent'))
    .option('--entity <name>', say('optEntity'))
    .option('--state <state>', say('optState', { states: NOTIFICATION_STATES.join(', ') }))
    .option('--limit <n>', say('optLimit'))
    .option('--before <id>', say('optBefore'))
    .action((options: ListOptions) =>
      choose({
        kind: 'notifications-list',
        filters: {
          tenant: options.tenant,
          orderNumber: orderNumberOf(options.order, say),
          operationId: options.operation,
          eventType: options.event,
          entity: options.entity,
          state: choiceOf('--state', options.state, NOTIFICATION_STATES, say),
          before: options.before,
        },
        limit: limitOf(options.limit, say),
      }),
    );
  examples(list, say, [
    'notifications list --tenant acme --order 100234',
    'notifications list --state parked --limit 500',
    'notifications list --event Operation_Failed --json',
  ]);
}
