import { act, call, command, group, list, type Session } from '../command-line/command.ts';
import { BEFORE, choice, CONFIRM, LIMIT, ONE_TENANT, option, required, TENANT } from '../command-line/inputs.ts';
import { orderNumberOf } from '../command-line/option-values.ts';
import { countNotifications } from '../erasures/erase-orders.ts';
import { failureReport } from '../output/explain-failure.ts';
import { done, type Report } from '../output/report.ts';
import { entryReport, QUARANTINE_COMMANDS, SHOW_INPUTS } from './quarantine.commands.ts';

/** The values of `GET /api/notifications?state=`. */
const STATES = ['waiting', 'sent', 'parked', 'unpublished', 'untold'] as const;

interface Order {
  readonly tenant: string;
  readonly orderNumber: string;
}

const eraseOrder = act(
  'erase order',
  {
    pt: 'O conteúdo armazenado do pedido {orderNumber} do tenant {tenant} foi apagado: {notifications} notificações e {quarantined} da quarentena; {waiting} serão apagadas depois de enviadas.',
    en: 'The stored content of order {orderNumber} of tenant {tenant} is erased: {notifications} notifications and {quarantined} in quarantine; {waiting} will be erased once they are sent.',
  },
  { document: (answer) => ({ confirmed: true, ...answer }) },
);

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
    task: ({ confirm, tenant, orderNumber }) =>
      confirm
        ? eraseOrder({ app: 'webhook-ingest', tenant, orderNumber: Number(orderNumber), confirm })
        : (session) => countStored(session, { tenant, orderNumber }),
    examples: ['--tenant acme --order 100234', '--tenant acme --order 100234 --confirm'],
  }),
});

/** Counts the notifications whose content an erasure would erase. */
async function countStored({ api, say }: Session, { tenant, orderNumber }: Order): Promise<Report> {
  const count = await countNotifications(api, tenant, orderNumber);
  if (typeof count !== 'number') return failureReport(count, say);
  const text = say('eraseDryRun', { tenant, order: orderNumber, count });
  return done({ confirmed: false, tenant, orderNumber, notifications: count }, text);
}
