import { ask, call, command, group, list, type Session } from '../command-line/command.ts';
import { BEFORE, choice, CONFIRM, LIMIT, ONE_TENANT, option, required, TENANT } from '../command-line/inputs.ts';
import { orderNumberOf } from '../command-line/option-values.ts';
import { countNotifications } from '../erasures/erase-orders.ts';
import { requestTo } from '../operations-api/requests.ts';
import { cell } from '../output/blocks.ts';
import { failureReport } from '../output/explain-failure.ts';
import { done, type Report } from '../output/report.ts';
import { entryReport, QUARANTINE_COMMANDS, SHOW_INPUTS } from './quarantine.commands.ts';

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
      orderNumber: option('--order <number>', { pt: 'número do pedido', en: 'order number' }, orderNumberOf),
      operationId: option('--operation <id>', { pt: 'operationId da plataforma', en: 'operationId of the platform' }),
      eventType: option('--event <name>', {
        pt: 'eventType, por exemplo Order_Updated',
        en: 'eventType, for example Order_Updated',
      }),
      entity: option('--entity <name>', {
        pt: 'relatedEntity, por exemplo Order',
        en: 'relatedEntity, for example Order',
      }),
      state: choice('--state <state>', { pt: 'estado: {choices}', en: 'state: {choices}' }, STATES),
      limit: LIMIT,
      before: BEFORE,
    },
    task: list('notifications list', {
      columns: {
        id: 'colId',
        receivedAt: 'colReceived',
        tenant: 'colTenant',
        eventType: { pt: 'EVENTO', en: 'EVENT' },
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
    task: call('notifications show', entryReport),
    examples: ['4711', '4711 --body'],
  }),
  ...QUARANTINE_COMMANDS,
  erase: command({
    about: {
      pt: 'Apaga o conteúdo armazenado de um pedido; sem --confirm, só mostra o que seria apagado',
      en: 'Erases the stored content of an order; without --confirm only shows what would be erased',
    },
    inputs: {
      tenant: ONE_TENANT,
      orderNumber: required('--order <number>', { pt: 'número do pedido', en: 'order number' }, orderNumberOf),
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
  const given = { app: 'webhook-ingest', tenant, orderNumber: Number(orderNumber), confirm: true } as const;
  return await ask(session, requestTo('erase order', given), (answer) => {
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
