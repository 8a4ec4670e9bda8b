import type { Command } from 'commander';
import { type Choose, examples, group } from '../command-line/command-help.adapter.ts';
import { choiceOf, filledOf, limitOf, orderNumberOf } from '../command-line/option-values.ts';
import { ask, done, list, type Session, type Task } from '../command-line/task.ts';
import { explainFailure, failedReport } from '../output/explain-failure.ts';
import { listPages } from '../operations-api/list-pages.ts';
import { cell } from '../output/blocks.ts';
import type { Report } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { quarantineCommands } from './quarantine.commands.ts';
import { showEntry } from './show-entry.ts';

/** The values of `GET /api/notifications?state=`. */
const STATES = ['waiting', 'sent', 'parked', 'untold'] as const;
const PATH = '/api/notifications';
/** More notifications than any order has. */
const COUNTED = 10_000;

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

interface Order {
  readonly tenant: string;
  readonly orderNumber: string;
}

export function notificationCommands(program: Command, say: Say, choose: Choose): void {
  const notifications = group(program, 'notifications', say('notifications'), say);
  const listing = notifications
    .command('list')
    .description(say('notificationsList'))
    .usage(say('usageOptions'))
    .option('--tenant <id>', say('optTenant'))
    .option('--order <number>', say('optOrder'))
    .option('--operation <id>', say('optOperation'))
    .option('--event <name>', say('optEvent'))
    .option('--entity <name>', say('optEntity'))
    .option('--state <state>', say('optState', { states: STATES.join(', ') }))
    .option('--limit <n>', say('optLimit'))
    .option('--before <id>', say('optBefore'))
    .action((options: ListOptions) => choose(listNotifications(options, say)));
  examples(listing, say, [
    'notifications list --tenant acme --order 100234',
    'notifications list --state parked --limit 500',
    'notifications list --event Operation_Failed --json',
  ]);

  const show = notifications
    .command('show <id>')
    .description(say('notificationsShow'))
    .usage(`<id> ${say('usageOptions')}`)
    .option('--body', say('optBody'))
    .action((id: string, { body }: { body?: true }) => choose(showEntry('notifications', id, body === true)));
  examples(show, say, ['notifications show 4711', 'notifications show 4711 --body']);

  quarantineCommands(notifications, say, choose);

  const erase = notifications
    .command('erase')
    .description(say('notificationsErase'))
    .usage(say('usageOptions'))
    .requiredOption('--tenant <id>', say('optTenant'))
    .requiredOption('--order <number>', say('optOrder'))
    .option('--confirm', say('optConfirm'))
    .action((given: { tenant: string; order: string; confirm?: true }) => {
      const order = { tenant: filledOf('--tenant', given.tenant, say), orderNumber: orderNumberOf(given.order, say) };
      choose((session) => (given.confirm ? eraseOrder(session, order) : countStored(session, order)));
    });
  examples(erase, say, [
    'notifications erase --tenant acme --order 100234',
    'notifications erase --tenant acme --order 100234 --confirm',
  ]);
}

function listNotifications(options: ListOptions, say: Say): Task {
  const query = {
    tenant: options.tenant,
    orderNumber: orderNumberOf(options.order, say),
    operationId: options.operation,
    eventType: options.event,
    entity: options.entity,
    state: choiceOf('--state', options.state, STATES, say),
    before: options.before,
  };
  const limit = limitOf(options.limit, say);
  return (session) =>
    list(
      session,
      { app: 'webhook-ingest', path: PATH, query, member: 'entries', limit },
      {
        columns: [
          [say('colId'), 'id'],
          [say('colReceived'), 'receivedAt'],
          [say('colTenant'), 'tenant'],
          [say('colEvent'), 'eventType'],
          [say('colEntity'), 'relatedEntity'],
          [say('colState'), 'state'],
          [say('colBytes'), 'bytes'],
          [say('colSubject'), 'subject'],
        ],
        flexible: 'subject',
      },
    );
}

/** Erases the stored content of an order. */
async function eraseOrder(session: Session, { tenant, orderNumber }: Order): Promise<Report> {
  const body = { tenant, orderNumber: Number(orderNumber), confirm: true };
  return await ask(session, { app: 'webhook-ingest', method: 'POST', path: '/api/erasures', body }, (answer) => {
    const { notifications, quarantined, waiting } = answer;
    const counts = { notifications: cell(notifications), quarantined: cell(quarantined), waiting: cell(waiting) };
    const text = session.say('erased', { tenant, order: orderNumber, ...counts });
    return done({ confirmed: true, ...answer }, text);
  });
}

/** Counts the notifications whose content an erasure would erase. */
async function countStored({ api, say }: Session, { tenant, orderNumber }: Order): Promise<Report> {
  const query = { tenant, orderNumber };
  const stored = await listPages(api, { app: 'webhook-ingest', path: PATH, query, member: 'entries', limit: COUNTED });
  if (stored.kind !== 'listed') return failedReport(explainFailure(stored, say));
  const count = stored.entries.filter(({ bodyErasedAt }) => bodyErasedAt === null || bodyErasedAt === undefined).length;
  const text = say('eraseDryRun', { tenant, order: orderNumber, count });
  return done({ confirmed: false, tenant, orderNumber, notifications: count }, text);
}
