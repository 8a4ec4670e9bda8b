import { describe, expect, it } from '@jest/globals';
import { scanEnvelope, spanBytes } from '@gondola/shared/json/span-scanner';
import { MAX_VALUE_BYTES } from '@gondola/shared/limits';
import { encodeFittingOrderEvent, encodeOrderEvent, eventRecord, type OrderEvent } from './order-event.ts';
import { type OrderItem, unknownOrderValues } from '../facts/order-values.ts';

const event: OrderEvent = {
  id: 'acme:order:100234:1',
  type: 'OrderApproved',
  tenant: 'acme',
  time: '2026-11-20T13:15:02.114Z',
  orderNumber: 100_234,
  revision: 1,
  previousStatus: null,
  status: { code: 300, name: 'PAYMENT_APPROVED' },
  changes: ['status'],
  hold: false,
  attention: null,
  cause: { kind: 'platform' },
  order: {} as OrderEvent['order'],
};

describe('order event', () => {
  it('has its dedup key as id', () => {
    const { type, revision, changes, hold, attention, cause, time } = event;
    const pending = { type, revision, changes, hold, attention, cause, previousStatus: null, status: 300 };
    const about = { tenant: 'acme', time, order: unknownOrderValues(100_234, null), platform: null, unread: [] };
    const record = eventRecord({ ...pending, traceparent: '' }, about);
    expect(record).toMatchObject({ key: event.id, id: event.id, sequence: 1 });
    expect(JSON.parse(String(record.value))).toMatchObject({ id: event.id });
  });

  it('carries the platform data byte for byte', () => {
    const platform = new TextEncoder().encode('{ "v" : 1.10,\n "nome":"A\\u00e7ai", "__proto__":null }');
    const bytes = encodeOrderEvent(event, platform);
    const scan = scanEnvelope(bytes);
    expect(scan.ok && spanBytes(bytes, scan.spans.get('platform'))).toEqual(platform);
    expect(scan.ok && [...scan.spans.keys()]).toEqual([...Object.keys(event), 'platform']);
  });

  it('has null if there is no platform data', () => {
    expect(JSON.parse(new TextDecoder().decode(encodeOrderEvent(event, null)))).toEqual({ ...event, platform: null });
  });
});

function eventOf(order: Partial<OrderEvent['order']>): OrderEvent {
  return { ...event, order: { orderId: 'o', items: [], payments: [], ...order } as unknown as OrderEvent['order'] };
}

const items = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => ({ line: index + 1, name }) as OrderItem);

function fitted(event: OrderEvent, platform: Uint8Array | null): OrderEvent & { platform: unknown } {
  const bytes = encodeFittingOrderEvent(event, platform);
  expect(bytes.byteLength).toBeLessThanOrEqual(MAX_VALUE_BYTES);
  return JSON.parse(new TextDecoder().decode(bytes)) as OrderEvent & { platform: unknown };
}

const HUGE = new TextEncoder().encode(JSON.stringify('ç'.repeat(2_000_000)));

describe('an order event that is too large for its topic', () => {
  it('is left as it is where it fits', () => {
    const platform = new TextEncoder().encode('{"a":1.10}');
    const event = eventOf({ items: items(100, 'Queijo') });
    expect(encodeFittingOrderEvent(event, platform)).toEqual(encodeOrderEvent(event, platform));
  });

  it('leaves out the platform’s data first, and names that', () => {
    const event = eventOf({ items: items(100, 'Queijo') });
    expect(fitted(event, HUGE)).toEqual({ ...event, cut: ['platform'], platform: null });
  });

  it('holds the ERP up where the order itself had to be cut', () => {
    const long = eventOf({ items: items(100, 'Queijo '.repeat(10_000)) });
    expect(fitted(long, HUGE)).toMatchObject({ cut: ['platform', 'order'], hold: true, revision: 1, platform: null });
    const many = fitted(eventOf({ items: items(100_000, 'Queijo') }), null);
    expect(many).toMatchObject({ cut: ['order', 'order.items'], hold: true });
    expect(many.order.items.length).toBeGreaterThan(5_000);
  });
});
