import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readNotification } from './read-notification.ts';

const headers = {
  tenant: 'acme',
  id: 'acme:op:Order_Updated:hash',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};

function read(envelope: string) {
  return readNotification(Buffer.from(envelope), headers);
}

function envelope(data: string, more = ''): string {
  return `{"operationId":"op","relatedEntity":"Order","eventType":"Order_Updated","data":${data}${more}}`;
}

describe('an order notification', () => {
  it('is a fact with the bytes of its data as received, dated in UTC−3 (guarantee 6) (rule 13)', () => {
    const data =
      '{ "id":"guid", "number": 100234,\n"status":300, "updatedAt":"2026-11-20T10:15:00.1234567","items":[],"x":1.10 }';
    const reading = read(envelope(data));
    expect(reading).toMatchObject({
      kind: 'fact',
      fact: {
        dedupKey: headers.id,
        orderNumber: '100234',
        status: 300,
        ticks: BigInt(Date.UTC(2026, 10, 20, 13, 15)) * 10_000n + 1_234_567n,
        updatedAt: '2026-11-20T10:15:00.1234567',
        orderId: 'guid',
        operationId: 'op',
        failure: false,
        hasItems: true,
        errorBytes: null,
      },
    });
    if (reading.kind !== 'fact') throw new Error('no fact');
    expect(Buffer.from(reading.fact.content?.bytes ?? []).toString('utf8')).toBe(data);
  });

  it('has a dedup key of its own where the record brings none (rule 1)', () => {
    const reading = readNotification(Buffer.from(envelope('{"number":1,"status":300}')), { ...headers, id: undefined });
    expect(reading).toMatchObject({
      fact: { dedupKey: expect.stringMatching(/^acme:op:Order_Updated:[0-9a-f]{64}$/) },
    });
  });

  it.each([
    ['a delivered failure event', 'Order_StatusUpdateFailed', ',"error":{"statusCode":422}', true],
    ['a failure event whose error got lost', 'Order_CancelFailed', '', true],
    ['an unknown name with an error', 'Order_Something', ',"error":{"statusCode":409}', true],
    ['an unknown name without one', 'Order_Something', ',"error":null', false],
    ['a documented name that never arrives', 'Order_StatusUpdated', '', false],
  ])('is judged by its fields: %s (rule 5)', (_what, eventType, error, failure) => {
    const data = '{"number":1,"status":300}';
    const reading = read(
      `{"operationId":"op","relatedEntity":"Order","eventType":"${eventType}","data":${data}${error}}`,
    );
    expect(reading).toMatchObject({ kind: 'fact', fact: { failure, eventType } });
  });

  it.each([
    ['an Operation_Failed of a catalog entity', 'Brand', 'Operation_Failed', '{"number":5}', 'another-entity'],
    ['an Operation_Failed without an order number', 'Order', 'Operation_Failed', '{"orderId":"x"}', 'no-order-number'],
    ['an Operation_Failed without data', 'Order', 'Operation_Failed', 'null', 'no-order-number'],
  ])('is passed over if it is %s (rule 6)', (_what, relatedEntity, eventType, data, why) => {
    const reading = read(
      `{"operationId":"op","relatedEntity":"${relatedEntity}","eventType":"${eventType}","data":${data}}`,
    );
    expect(reading).toEqual({ kind: 'skip', why });
  });

  it.each(['{"status":300}', 'null', '[]', '{"number":"x"}', '{"number":1.5}', '{"number":99999999999999999}'])(
    'is a dead letter without a number that can be published: %s (rule 4)',
    (data) => {
      expect(read(envelope(data))).toMatchObject({ kind: 'dead-letter', code: 'IDENTITY_MISSING' });
    },
  );

  it('is a dead letter if it is no JSON object', () => {
    for (const value of [null, Buffer.from('{'), Buffer.from('[]'), Buffer.from([0xff])]) {
      expect(readNotification(value, headers)).toMatchObject({ kind: 'dead-letter', code: 'NOT_JSON' });
    }
  });

  it('has its status also where that is written with decimals', () => {
    expect(read(envelope('{"number":7,"status":300.0}'))).toMatchObject({ kind: 'fact', fact: { status: 300 } });
  });

  it('treats unreadable parts of the state as absent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (status, updatedAt, id) => {
        const reading = read(envelope(JSON.stringify({ number: 7, status, updatedAt, id })));
        expect(reading).toMatchObject({ kind: 'fact', fact: { orderNumber: '7' } });
      }),
    );
  });
});
