import { ask, command, group, list, type Session } from '../command-line/command.ts';
import { BEFORE, choice, CONFIRM, LIMIT, ONE_TENANT, option, required, TENANT } from '../command-line/inputs.ts';
import { orderNumberOf } from '../command-line/option-values.ts';
import { countNotifications } from '../erasures/erase-orders.ts';
import { cell } from '../output/blocks.ts';
import { failureReport } from '../output/explain-failure.ts';
import { done, type Report } from '../output/report.ts';
import { QUARANTINE_COMMANDS, SHOW_INPUTS, showEntry } from './quarantine.commands.ts';

const APP = 'webhook-ingest';
const PATH = '/api/notifications';
/** The values of `GET /api/notifications?state=`. */
const STATES = ['waiting', 'sent', 'parked', 'untold'] as const;

interface Order {
  readonly tenant: string;
  readonly orderNumber: string;
}

export const NOTIFICATIONS = group('notifications', {
  list: command({
    inputs: {
      tenant: TENANT,
      orderNumber: option('--order <number>', 'optOrder', orderNumberOf),
      operationId: option('--operation <id>', 'optOperation'),
      eventType: option('--event <name>', 'optEvent'),
      entity: option('--entity <name>', 'optEntity'),
      state: choice('--state <state>', 'optState', STATES),
      limit: LIMIT,
      before: BEFORE,
    },
    task: list(APP, PATH, {
      columns: {
        id: 'colId',
        receivedAt: 'colReceived',
        tenant: 'colTenant',
        eventType: 'colEvent',
        relatedEntity: 'colEntity',
        state: 'colState',
        bytes: 'colBytes',
        subject: 'colSubject',
      },
      flexible: 'subject',
    }),
    examples: ['--tenant acme --order 100234', '--state parked --limit 500', '--event Operation_Failed --json'],
  }),
  show: command({
    inputs: SHOW_INPUTS,
    task: showEntry('notifications'),
    examples: ['4711', '4711 --body'],
  }),
  ...QUARANTINE_COMMANDS,
  erase: command({
    inputs: {
      tenant: ONE_TENANT,
      orderNumber: required('--order <number>', 'optOrder', orderNumberOf),
      confirm: CONFIRM,
    },
    task:
      ({ confirm, ...order }) =>
      (session) =>
        confirm ? eraseOrder(session, order) : countStored(session, order),
    examples: ['--tenant acme --order 100234', '--tenant acme --order 100234 --confirm'],
  }),
});

/** Erases the stored content of an order. */
async function eraseOrder(session: Session, { tenant, orderNumber }: Order): Promise<Report> {
  const body = { tenant, orderNumber: Number(orderNumber), confirm: true };
  return await ask(session, { app: APP, method: 'POST', path: '/api/erasures', body }, (answer) => {
    const { notifications, quarantined, waiting } = answer;
    const counts = { notifications: cell(notifications), quarantined: cell(quarantined), waiting: cell(waiting) };
    const text = session.say('erased', { tenant, order: orderNumber, ...counts });
    return done({ confirmed: true, ...answer }, text);
  });
}

/** Counts the notifications whose content an erasure would erase. */
async function countStored({ api, say }: Session, { tenant, orderNumber }: Order): Promise<Report> {
  const count = await countNotifications(api, tenant, orderNumber);
  if (typeof count !== 'number') return failureReport(count, say);
  const text = say('eraseDryRun', { tenant, order: orderNumber, count });
  return done({ confirmed: false, tenant, orderNumber, notifications: count }, text);
}
