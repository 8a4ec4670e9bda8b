import type { TestInstallation } from '@gondola/kafka/testing/test-installation';
import { platformMoment } from '@gondola/shared/time';
import { auditedOrder, type OrderOfMonth } from './audited-order.ts';

/** In place of the number of each order. */
const TEMPLATE = 7_070_707;
const HEARD = '2024-10-20T13:00:00Z';

/** Number of the invoice of an order. */
export function invoiceOf(number: number): string {
  return `4${number}`;
}

/** True for the orders whose invoice the ERP registered. */
export function isInvoiced(number: number): boolean {
  return number % 2 === 0;
}

/** An order as shop, Gondola and ERP agree on it. */
export function agreed(number: number): OrderOfMonth {
  if (!isInvoiced(number)) return { number };
  const invoice = { number: invoiceOf(number), value: '12.45' };
  return { number, invoice, invoiceUrl: `https://files.example.com/${number}.pdf` };
}

/**
 * Stores orders as the app has them a month later: one fact each, published as it is, and for half of them a
 * `RegisterInvoice` that was applied.
 */
export async function storeMonth(installation: TestInstallation, numbers: readonly number[]): Promise<void> {
  const values = [numbers.map(String)];
  await installation.query(
    `INSERT INTO lanes (tenant, kind, identity) SELECT 'acme', 'order', n FROM unnest($1::text[]) AS n`,
    values,
  );
  const fact = JSON.stringify(auditedOrder({ number: TEMPLATE }));
  const ticks = String(platformMoment('2024-10-20T09:30:00')!.ticks);
  await installation.query(
    `INSERT INTO order_facts (lane_id, tenant, order_number, dedup_key, source, event_type, failure, status, updated_at,
       updated_ticks, has_items, hash, data, received_at)
     SELECT id, tenant, identity, 'acme:' || identity, 'notification', 'Order_Updated', false, 300, '2024-10-20T09:30:00',
       $1, true, identity, convert_to(replace($2, '${TEMPLATE}', identity), 'UTF8'), '${HEARD}'
     FROM lanes WHERE kind = 'order'`,
    [ticks, fact],
  );
  await installation.query(
    `INSERT INTO orders (lane_id, tenant, order_number, status, revision, published_status, published_parts, published_at, look_at)
     SELECT id, tenant, identity, 300, 1, 300, '{}', '${HEARD}', NULL FROM lanes WHERE kind = 'order'`,
  );
  await installation.query(
    `INSERT INTO commands (lane_id, tenant, topic, command_id, command, content_hash, state, outcome, result_id, finished_at, value)
     SELECT id, tenant, 'erp.orders.commands.v1', 'i-' || identity, 'RegisterInvoice', identity, 'done', 'applied',
       'r-' || identity, now(),
       convert_to('{"number":"4' || identity || '","value":12.45,"issuedAt":"2024-10-20T13:00:00Z","pdf":{"uploadId":"u"}}', 'UTF8')
     FROM lanes WHERE kind = 'order' AND identity::bigint % 2 = 0`,
  );
  await installation.query('ANALYZE');
}
