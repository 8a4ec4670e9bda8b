import { describe, expect, it } from '@jest/globals';
import { parseRecord } from '@gondola/shared/json/json-digits';
import { CANARIES, orderData } from '../../test/support/platform-order.ts';
import { readOrderValues } from '../facts/order-values.ts';
import { redactError, redactOrder } from '@gondola/shared/orders/redact-order';

const DATA = orderData({ number: 1, status: 300, updatedAt: '2026-11-20T10:15:00', orderInvoiced: '{"value":1245}' });

function valuesOf(bytes: Uint8Array | null) {
  return readOrderValues(parseRecord(bytes) ?? {}, 1);
}

describe('the redaction of an order', () => {
  it('leaves what its view needs, digit by digit, and nothing of its customer', () => {
    const redacted = redactOrder(Buffer.from(DATA));
    const text = redacted!.toString('utf8');
    expect(CANARIES.filter((canary) => text.includes(canary))).toEqual([]);
    expect(text).toContain('"total":12.450');
    expect(text).toContain('"orderInvoiced":{"value":1245}');
    const [before, after] = [valuesOf(Buffer.from(DATA)), valuesOf(redacted)];
    const { customer, address, payments, ...rest } = after;
    expect(rest).toMatchObject({ items: before.items, totals: before.totals, fulfilment: before.fulfilment });
    expect(
      [...Object.values(customer), ...Object.values(address), ...payments].filter((value) => value !== null),
    ).toEqual([]);
  });

  it('leaves out what it does not know, at any depth, also a text where a block is expected', () => {
    const data = { number: 1, note: 'Cliente Teste 01', items: [{ id: 'p', note: 'Cliente' }], seller: 'Cliente' };
    const redacted = redactOrder(Buffer.from(JSON.stringify(data)));
    expect(parseRecord(redacted)).toEqual({ number: 1, items: [{ id: 'p' }], seller: null });
    expect(redactOrder(Buffer.from('"Cliente Teste 01"'))).toBeNull();
  });

  it('is done twice to the same effect', () => {
    const once = redactOrder(Buffer.from(DATA))!;
    expect(redactOrder(once)).toEqual(once);
  });

  it('leaves of an error its code and title', () => {
    const error = { statusCode: 422, title: 'Regra', message: 'Cliente Teste 01', validationErrors: ['Cliente'] };
    expect(parseRecord(redactError(Buffer.from(JSON.stringify(error))))).toEqual({ statusCode: 422, title: 'Regra' });
  });
});
