import { randomUUID } from 'node:crypto';
import { waitFor } from '@gondola/local-stack/wait-for';
import { wireMessage } from '@gondola/kafka/testing/wire-message';
import { skuRecord } from '@gondola/kafka/records/sku-record';
import { buildSkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import type { BenchRoom } from './bench-room.ts';
import { SKUS, skuIdOf } from './order-notifications.ts';
import { TENANT } from './tenant.ts';

export const NOTIFICATIONS = 'platform.notifications.orders.v1';
/** Settings of a tenant: calls that nobody asked for would be measured, too. */
export const NO_RECOVERY = { scanEveryMs: null, quietMs: null };
const TIME = '2026-11-20T13:00:00.000Z';
const TRACEPARENT = '00-00000000000000000000000000000001-0000000000000001-01';
/** As many at a time as the relay publishes. */
const BATCH = 150;

/** Publishes the SKUs of the orders as catalog-publisher does, and waits until order-command-handler knows them. */
export async function publishSkus({ producer, database }: BenchRoom): Promise<void> {
  const messages = Array.from({ length: SKUS }, (_, sku) => skuMessage(sku));
  await producer.send({ topic: 'catalog.skus.v1', acks: -1, messages });
  const text = 'SELECT count(*)::float8 AS skus FROM order_command_handler.skus';
  const known = async (): Promise<boolean> => {
    const { rows } = await database.query<{ skus: number }>(text);
    return rows[0]!.skus >= SKUS;
  };
  await waitFor(known, { describe: 'all SKUs', timeoutMs: 60_000 });
}

function skuMessage(sku: number) {
  const nothing = { productId: null, ean: null, reference: null, unitOfMeasurement: null, arithmeticFactor: null };
  const snapshot = buildSkuSnapshot({
    ...nothing,
    tenant: TENANT,
    version: 1,
    time: TIME,
    skuExternalReference: `4711-${sku}`,
    skuId: skuIdOf(sku),
    productExternalReference: '4711',
    name: 'Queijo Coalho Peça',
    active: true,
  });
  return wireMessage(skuRecord(snapshot, { traceparent: TRACEPARENT }), 'catalog-publisher');
}

/** An order's notification as webhook-ingest publishes it. */
export function notificationMessage(orderNumber: number, value: Buffer) {
  const id = `${TENANT}:${randomUUID()}:Order_Updated`;
  const order = `order/${orderNumber}`;
  const record = {
    topic: NOTIFICATIONS,
    key: id,
    id,
    type: 'platform.Order_Updated',
    subject: order,
    time: TIME,
    tenant: TENANT,
    partitionKey: `${TENANT}/${order}`,
    traceparent: TRACEPARENT,
    extra: { ce_operationid: id, ce_relatedentity: 'Order' },
    value,
  } as const;
  return wireMessage(record, 'webhook-ingest');
}

export async function sendNotifications(
  { producer }: BenchRoom,
  messages: readonly ReturnType<typeof notificationMessage>[],
): Promise<void> {
  for (let start = 0; start < messages.length; start += BATCH) {
    await producer.send({ topic: NOTIFICATIONS, acks: -1, messages: messages.slice(start, start + BATCH) });
  }
}
