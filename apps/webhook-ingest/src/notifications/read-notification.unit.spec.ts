import { describe, expect, it } from '@jest/globals';
import { assert, json, oneof, property, uint8Array } from 'fast-check';
import { ACME_RECEIVER, incoming, received } from '../../test/support/incoming.ts';
import { envelope as delivery } from '../../test/support/deliver.ts';
import { Incoming, type Notification, type Receiver, readNotification } from './read-notification.ts';

const RECEIVER: Receiver = {
  id: 'acme',
  contractAccountId: '11111111-1111-4111-8111-111111111111',
  users: false,
  isMirrored: false,
};
const OPERATION = '33333333-3333-4333-8333-333333333333';

function envelope(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    operationId: OPERATION,
    contractAccountId: RECEIVER.contractAccountId,
    relatedEntity: 'Order',
    eventType: 'Order_Updated',
    data: { number: 100_234, status: 300 },
    ...more,
  };
}

function read(value: unknown, receiver = RECEIVER) {
  return readNotification(receiver, Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));
}

function notification(value: unknown, receiver = RECEIVER): Notification {
  const result = read(value, receiver);
  if (result.kind !== 'notification') throw new Error(`in quarantine: ${JSON.stringify(result.quarantined)}`);
  return result.notification;
}

function readNamed(text: string) {
  return read(envelope({ operationId: text, eventType: text }), { ...RECEIVER, id: 'x'.repeat(63) });
}

describe('reading a notification', () => {
  it('sends orders and every Operation_Failed to orders, catalog entities to catalog (rule 6)', () => {
    expect(notification(envelope()).topic).toBe('platform.notifications.orders.v1');
    const product = envelope({ relatedEntity: 'ProductWithSKUs', eventType: 'ProductWithSKUs_Created' });
    expect(notification(product).topic).toBe('platform.notifications.catalog.v1');
    for (const relatedEntity of ['Brand', 'Category', 'Warehouse', 'WarehouseSKU', 'SKUPricing', 'ProductWithSKUs']) {
      expect(notification(envelope({ relatedEntity })).topic).toBe('platform.notifications.catalog.v1');
      const failed = envelope({ relatedEntity, eventType: 'Operation_Failed' });
      expect(notification(failed).topic).toBe('platform.notifications.orders.v1');
    }
  });

  it('publishes users only if the tenant wants them, and never by their e-mail (rules 1, 6)', () => {
    const user = envelope({
      relatedEntity: 'User',
      eventType: 'User_Updated',
      data: { email: 'cliente@example.com', firstName: 'Cliente Teste 01' },
    });
    expect(notification(user).topic).toBeNull();
    const told = notification(user, { ...RECEIVER, users: true });
    expect(told).toMatchObject({
      topic: 'platform.notifications.users.v1',
      partitionKey: `acme/operation/${OPERATION}`,
      subject: null,
    });
    expect(JSON.stringify(told)).not.toContain('cliente');
  });

  it('keeps two statuses of one operation apart, and one event one, by the bytes of data and error (rule 1)', () => {
    const [cancelling, cancelled] = [750, 800].map(
      (status) => notification(envelope({ data: { number: 1, status } })).dedupKey,
    );
    expect(cancelling).not.toBe(cancelled);
    const spaced = ` {"data": {"number":1,"status":750} , ${JSON.stringify(envelope())
      .slice(1)
      .replace(/,"data":.*/, '}')}`;
    expect(notification(spaced).dedupKey).toBe(cancelling);
    expect(notification(envelope({ data: { number: 1, status: 750 }, error: null })).dedupKey).not.toBe(cancelling);
  });

  it('orders by the entity, whose identity is read from data', () => {
    expect(notification(envelope())).toMatchObject({ partitionKey: 'acme/order/100234', subject: 'order/100234' });
  });

  it('accepts an unknown event name of a known entity (rule 4)', () => {
    expect(notification(envelope({ eventType: 'Order_Teleported' })).topic).toBe('platform.notifications.orders.v1');
  });

  it.each([
    ['NOT_JSON', '{"operationId":'],
    ['NOT_JSON', '[]'],
    ['NOT_JSON', ''],
    ['FIELD_REQUIRED', envelope({ operationId: undefined })],
    ['FIELD_REQUIRED', envelope({ data: undefined })],
    ['FIELD_REQUIRED', envelope({ operationId: '' })],
    ['FIELD_TYPE', envelope({ eventType: 14 })],
    ['FIELD_TYPE', envelope({ operationId: null })],
    ['FIELD_TYPE', envelope({ operationId: 'a\0b' })],
    ['FIELD_TYPE', envelope({ eventType: '\ud800' })],
    ['LIMIT', envelope({ operationId: 'x'.repeat(256) })],
    ['LIMIT', envelope({ eventType: 'x'.repeat(5_000) })],
    ['ENTITY_UNKNOWN', envelope({ relatedEntity: 'Basket' })],
    ['TENANT_MISMATCH', envelope({ contractAccountId: '99999999-9999-4999-8999-999999999999' })],
  ])('keeps what it does not understand in quarantine as %s (rules 3, 4)', (reason, body) => {
    expect(read(body)).toMatchObject({ kind: 'quarantine', quarantined: { reason } });
  });

  it('makes no dedup key that PostgreSQL could not keep unique', () => {
    const results = [':', '\u9fff', 'x'].flatMap((character) =>
      [255, 256, 512].map((length) => readNamed(character.repeat(length))),
    );
    const keys = results.flatMap((result) => (result.kind === 'notification' ? [result.notification.dedupKey] : []));
    expect(keys).toHaveLength(3);
    expect(Math.max(...keys.map((key) => Buffer.byteLength(key)))).toBeLessThan(2_704);
  });

  it('assigns a refusal of an undocumented entity to the topic of orders (rule 6)', () => {
    const refusal = notification(envelope({ relatedEntity: 'Basket', eventType: 'Operation_Failed' }));
    expect(refusal).toMatchObject({ topic: 'platform.notifications.orders.v1', subject: null });
    expect(refusal.partitionKey).toBe(`acme/operation/${OPERATION}`);
  });

  it('understands or quarantines any bytes, and never throws', () => {
    assert(
      property(
        oneof(uint8Array(), json()).map((body) => Buffer.from(body as string)),
        (body) => {
          expect(['notification', 'quarantine']).toContain(readNotification(RECEIVER, body).kind);
        },
      ),
    );
  });
});

describe('an incoming body', () => {
  it('is read once, when that is asked for', () => {
    const one = incoming(delivery({ data: { number: 7 } }));
    expect(one.read).toMatchObject({ kind: 'notification', notification: { partitionKey: 'acme/order/7' } });
    expect(one.read).toBe(one.read);
  });

  it('is put into quarantine if reading it fails', () => {
    const broken = { ...ACME_RECEIVER, contractAccountId: null as never };
    expect(new Incoming(broken, received()).read).toMatchObject({
      kind: 'quarantine',
      quarantined: { reason: 'NOT_STORABLE', detail: 'TypeError' },
    });
  });
});
