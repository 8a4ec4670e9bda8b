import { describe, expect, it } from '@jest/globals';
import { parseRecord } from '../json/json-digits.ts';
import { redactNotification, redactOrder } from './redact-order.ts';

const NAME = 'Cliente Teste 01';

function notification(more: object): Buffer {
  const data = { number: 11, status: 300, user: { firstName: NAME }, subtotal: { total: 12.5 } };
  const texts = { operationId: 'o', contractAccountId: 'c', relatedEntity: 'Order', eventType: 'Order_Updated' };
  return Buffer.from(JSON.stringify({ ...texts, data, customer: NAME, ...more }));
}

describe('the redaction of an order', () => {
  it('leaves out a block where a plain value is expected', () => {
    const data = { number: 11, createdAt: { by: NAME }, currency: [NAME], status: { code: 300, by: NAME } };
    expect(parseRecord(redactOrder(Buffer.from(JSON.stringify(data))))).toEqual({ number: 11 });
  });

  it('leaves of the registered invoice what is fiscal', () => {
    const orderInvoiced = { number: '4711', issuanceDate: '2026-11-20T10:00:00', value: 12.5, issuedTo: NAME };
    const { issuedTo: _personal, ...fiscal } = orderInvoiced;
    const redacted = redactOrder(Buffer.from(JSON.stringify({ number: 11, orderInvoiced })));
    expect(parseRecord(redacted)).toEqual({ number: 11, orderInvoiced: fiscal });
  });
});

describe('the redaction of a notification', () => {
  it('leaves the envelope and what an order may have, with its digits', () => {
    const body = Buffer.from(notification({}).toString().replace('12.5', '12.50'));
    const redacted = redactNotification(body)!.toString();
    expect(redacted).toBe(
      '{"operationId":"o","contractAccountId":"c","relatedEntity":"Order","eventType":"Order_Updated",' +
        '"data":{"number":11,"status":300,"subtotal":{"total":12.50}}}',
    );
  });

  it.each([
    [
      { statusCode: 422, title: 'Regra', message: NAME },
      { statusCode: 422, title: 'Regra' },
    ],
    [NAME, {}],
    [null, undefined],
  ])('leaves a refusal one: of the error %j', (error, left) => {
    expect(parseRecord(redactNotification(notification({ error })))?.['error']).toEqual(left);
  });
});
