import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseBytes, parseRecord } from '../json/json-digits.ts';
import { jsonText } from '../testing/arbitrary-json.ts';
import { readEnvelope } from './notification-envelope.ts';

const ENVELOPE = {
  operationId: 'op-1',
  contractAccountId: '11111111-1111-4111-8111-111111111111',
  relatedEntity: 'Order',
  eventType: 'Order_Updated',
  data: { number: 100_234, status: 300 },
};
const read = (more: object | string = {}) =>
  readEnvelope(Buffer.from(typeof more === 'string' ? more : JSON.stringify({ ...ENVELOPE, ...more })));

describe('the envelope of a notification', () => {
  it('is read with the bytes of data and error as received (guarantee 6)', () => {
    const [data, error] = ['{ "number": 100234,\n"x":1.10 }', '{"statusCode":422.0}'];
    const envelope = read(
      `{"data":${data} , "operationId":"op-1","relatedEntity":"Order","eventType":"\\u004frder_Teleported","error": ${error}}`,
    );
    expect(envelope).toMatchObject({ operationId: 'op-1', relatedEntity: 'Order', eventType: 'Order_Teleported' });
    expect(Buffer.from(envelope?.dataBytes ?? []).toString()).toBe(data);
    expect(Buffer.from(envelope?.errorBytes ?? []).toString()).toBe(error);
  });

  it.each([
    ['a delivered failure event', 'Order_StatusUpdateFailed', { error: { statusCode: 422 } }, true],
    ['a failure event whose error got lost', 'Order_CancelFailed', {}, true],
    ['a failure event whose error is null', 'Order_CancelFailed', { error: null }, true],
    ['an unknown name with an error', 'Order_Something', { error: { statusCode: 409 } }, true],
    ['the name of a success with an error that is text', 'Brand_Created', { error: 'no' }, true],
    ['an unknown name without an error', 'Order_Something', { error: null }, false],
    ['a documented name that never arrives', 'Order_StatusUpdated', {}, false],
  ])('is a failure by its fields, else by its name: %s (rules 5, 26)', (_what, eventType, more, isFailure) => {
    expect(read({ eventType, ...more })).toMatchObject({ isFailure });
  });

  it('takes an error of null for none', () => {
    expect(read({ error: null })).toMatchObject({ errorBytes: null });
    expect(read({ error: false })?.errorBytes).not.toBeNull();
  });

  it('takes what is no usable text for absent', () => {
    const nothing = { operationId: null, relatedEntity: null, eventType: '' };
    for (const value of [7, null, {}, '', 'a\0b', '\ud800', 'x'.repeat(256), 'x'.repeat(5_000)]) {
      expect(read({ operationId: value, relatedEntity: value, eventType: value })).toMatchObject(nothing);
    }
    expect(read('{}')).toEqual({ ...nothing, dataBytes: null, errorBytes: null, isFailure: false });
    expect(read({ operationId: 'x'.repeat(255) })).toMatchObject({ operationId: 'x'.repeat(255) });
  });

  it('is none where the value is no JSON object', () => {
    expect(readEnvelope(null)).toBeNull();
    for (const bytes of ['', '{', '[]', '7', 'null']) expect(read(bytes)).toBeNull();
    expect(readEnvelope(Uint8Array.of(0xff))).toBeNull();
  });

  it('agrees with a parser of the whole record, whatever the record is', () => {
    fc.assert(
      fc.property(
        jsonText({ spaced: true }),
        jsonText({ spaced: true }),
        jsonText({ spaced: true }),
        (id, data, error) => {
          const bytes = Buffer.from(`{"operationId":${id},"data":${data},"error":${error},"data":${error}}`);
          const whole = parseRecord(bytes);
          const envelope = readEnvelope(bytes);
          expect(parseBytes(envelope?.dataBytes)).toEqual(whole?.['data']);
          expect(parseBytes(envelope?.errorBytes) ?? null).toEqual(whole?.['error']);
          const isText = typeof whole?.['operationId'] === 'string';
          expect(isText || envelope?.operationId === null).toBe(true);
        },
      ),
    );
  });
});
