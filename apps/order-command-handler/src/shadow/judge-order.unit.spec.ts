import type { ShadowRow } from '@gondola/shared/shadow/shadow-verdict';
import { DEFAULT_WIRE_PROFILE } from '@gondola/platform-client/wire-profile';
import { describe, expect, it } from '@jest/globals';
import type { OrderItem } from '../facts/order-values.ts';
import { judgeOrder, SET_BY_CONNECTORS, type ShownOrder } from './judge-order.ts';

const AT = new Date('2026-11-20T13:00:00Z');
const rowOf = (route: string, body: string | null = null): ShadowRow => ({
  id: '1',
  tenant: 'acme',
  side: 'gondola',
  route,
  entity: '100001',
  commandId: 'c-1',
  body,
  leftOutAt: AT,
  verdict: null,
  isSuperseded: false,
});
const shownOf = (statuses: readonly number[], more: Partial<ShownOrder> = {}): ShownOrder => ({
  statuses: new Map(statuses.map((status) => [status, AT])),
  commands: new Set(),
  payload: null,
  ...more,
});
const judged = (row: ShadowRow, shown: ShownOrder) => judgeOrder(row, shown, DEFAULT_WIRE_PROFILE)?.kind;
const asked = (...commands: string[]) => shownOf([], { commands: new Set(commands) });
const item = (more: Partial<OrderItem>): OrderItem =>
  ({ skuExternalReference: '1078-1', unitOfMeasure: 'Un', gross: '31.80', ...more }) as OrderItem;
const payloadOf = (more: Partial<NonNullable<ShownOrder['payload']>>) => ({
  payload: { price: '58.75', invoices: [], items: [item({})], ...more },
});

describe('what was left out of an order, beside the shop', () => {
  it.each([
    ['patchOrderStatus', '{"status":"ORDER_BEING_PREPARED"}', [300, 400], 'same'],
    ['patchOrderStatus', '{"status":"ORDER_BEING_PREPARED"}', [300], 'only-gondola'],
    ['patchOrderStatus', '{"status":"ORDER_BEING_PREPARED"}', [300, 750, 800], 'not-comparable'],
    ['cancelOrder', null, [300, 750], 'same'],
    ['cancelOrder', null, [300], 'only-gondola'],
    ['orderCreated', null, [300], 'only-gondola'],
    ['orderCreated', null, [300, 400], 'same'],
    ['orderCreated', null, [300, 800], 'not-comparable'],
  ] as const)('%s %s with %j is %s', (route, body, statuses, kind) => {
    expect(judged(rowOf(route, body), shownOf(statuses))).toBe(kind);
  });

  it('of a status that somebody set is explained by a command of the ERP, and by nothing else', () => {
    for (const status of SET_BY_CONNECTORS)
      expect(judged(rowOf('orderStatus', String(status)), shownOf([]))).toBe('only-old');
    expect(judged(rowOf('orderStatus', '600'), asked('Ship'))).toBe('explained');
    expect(judged(rowOf('orderStatus', '350'), asked('RegisterInvoice'))).toBe('explained');
    expect(judged(rowOf('orderStatus', '600'), asked('StartPreparation'))).toBe('only-old');
  });

  it('compares a picking by its price, and each line by its unit and total', () => {
    const line = { skuExternalReference: '1078-1', quantity: 2, unitOfMeasure: 'Un', price: 15.9, total: 31.8 };
    const row = rowOf('putOrder', JSON.stringify({ finalOrderPrice: 58.75, items: [line] }));
    expect(judged(row, shownOf([300, 400]))).toBe('only-gondola');
    expect(judged(row, shownOf([400, 1300]))).toBeUndefined();
    expect(judged(row, shownOf([400, 1300], payloadOf({})))).toBe('same');
    expect(judged(row, shownOf([400, 1300], payloadOf({ price: '60.27' })))).toBe('another-value');
    expect(judged(row, shownOf([400, 1300], payloadOf({ items: [item({ unitOfMeasure: 'Kg' })] })))).toBe(
      'another-value',
    );
    expect(judged(row, shownOf([400, 1300], payloadOf({ items: [item({ gross: '15.90' })] })))).toBe('another-value');
  });

  it('compares an invoice by its number and its amount, in cents or in currency units', () => {
    const row = rowOf('putInvoiced', '{"number":"123","issuanceDate":"2026-11-20T13:00:00Z","value":5875}');
    const invoiced = (number: string | null, value: string | null) =>
      shownOf([350], payloadOf({ invoices: [{ number, value, issuedAt: null }] }));
    expect(judged(row, invoiced('123', '5875'))).toBe('same');
    expect(judged(row, invoiced('123', '58.75'))).toBe('same');
    expect(judged(row, invoiced('123', null))).toBe('same');
    expect(judged(row, invoiced('124', '58.75'))).toBe('another-value');
    expect(judged(row, invoiced('123', '58.74'))).toBe('another-value');
    expect(judged(row, invoiced(null, null))).toBe('not-comparable');
    expect(judged(row, shownOf([400], payloadOf({})))).toBe('only-gondola');
    expect(judged(row, shownOf([350], payloadOf({})))).toBe('not-comparable');
    expect(judged(row, shownOf([350]))).toBeUndefined();
  });
});
