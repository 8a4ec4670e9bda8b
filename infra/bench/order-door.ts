import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { orderStatusCode } from '@gondola/shared/orders/order-statuses';
import { listen } from './bench-app.ts';
import type { BenchRoom } from './bench-room.ts';
import { NOTIFICATIONS, notificationMessage } from './order-messages.ts';
import { ORDER_ZERO, OrderNotifications } from './order-notifications.ts';

const STATUS_PATH = /\/Orders\/(\d+)\/status$/;

/** A platform that accepts every status, notifies it at once, and records the time of each order's first PATCH. */
export async function openDoor({ kafka }: BenchRoom) {
  const reachedAt = new Map<number, number>();
  const notificationsOf = new Map<number, OrderNotifications>();
  // A separate producer, so that no command waits behind a notification.
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = STATUS_PATH.exec(request.url ?? '');
    const body = await text(request);
    if (request.method !== 'PATCH' || path === null) {
      response.writeHead(404).end();
      return;
    }
    const order = Number(path[1]) - ORDER_ZERO;
    if (!reachedAt.has(order)) reachedAt.set(order, performance.now());
    const status = orderStatusCode(String(Object.values(JSON.parse(body) as object)[0]))!;
    const notifications = notificationsOf.get(status) ?? notificationsTo(status);
    notificationsOf.set(status, notifications);
    const value = notifications.order(order);
    const { operationId } = JSON.parse(value.toString()) as { operationId: string };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ operationId }));
    void producer.send({ topic: NOTIFICATIONS, messages: [notificationMessage(order, value)] });
  };
  const server = await listen((request, response) => void answer(request, response));
  const close = async (): Promise<void> => {
    await server.close();
    await producer.disconnect();
  };
  return { url: server.url, reachedAt, close };
}

/** Statuses are notified in the order of their codes. */
function notificationsTo(status: number): OrderNotifications {
  const updatedAt = new Date(Date.parse('2026-11-20T10:16:00Z') + status * 1_000).toISOString().slice(0, 19);
  return new OrderNotifications(randomBytes(6).toString('hex'), { status, updatedAt });
}
