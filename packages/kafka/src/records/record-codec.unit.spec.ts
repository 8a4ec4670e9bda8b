import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import {
  decodeRecord,
  encodeHeaders,
  encodeRecord,
  headersFromText,
  headersToText,
  headerText,
  type OutRecord,
  type RawHeaders,
} from './record-codec.ts';
import { toKafkaHeaders } from '../testing/wire-message.ts';

const event: OutRecord = {
  topic: 'erp.orders.events.v1',
  key: 'acme:order:100234:7',
  id: 'acme:order:100234:7',
  type: 'OrderApproved',
  subject: 'order/100234',
  time: '2026-11-20T13:15:02.114Z',
  tenant: 'acme',
  partitionKey: 'acme/order/100234',
  sequence: 7,
  commandId: 'c-88',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  extra: { ce_operationid: 'op-1' },
  value: Buffer.from('{}'),
};

const bytes: fc.Arbitrary<Buffer> = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
const anyHeaders: fc.Arbitrary<RawHeaders> = fc.array(
  fc.tuple(fc.string({ unit: 'grapheme' }), fc.option(bytes, { nil: null })),
  {
    maxLength: 12,
  },
);

function consumed(headers: RawHeaders) {
  return decodeRecord('erp.orders.commands.v1', 0, {
    key: null,
    value: null,
    timestamp: '1',
    attributes: 0,
    offset: '5',
    headers: toKafkaHeaders(headers),
  });
}

describe('the record codec', () => {
  it('writes the common headers of the contract in one order', () => {
    const headers = encodeHeaders(event, 'order-command-handler');
    expect(headers.map(([name, value]) => `${name}: ${value?.toString()}`)).toEqual([
      'content-type: application/json',
      'ce_specversion: 1.0',
      'ce_id: acme:order:100234:7',
      'ce_source: /gondola/order-command-handler',
      'ce_type: OrderApproved',
      'ce_subject: order/100234',
      'ce_time: 2026-11-20T13:15:02.114Z',
      'ce_tenant: acme',
      'ce_partitionkey: acme/order/100234',
      'ce_sequence: 0000000007',
      'ce_commandid: c-88',
      'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'ce_operationid: op-1',
    ]);
  });

  it('writes no header for a value that the record lacks', () => {
    const bare: OutRecord = {
      topic: 'catalog.skus.v1',
      key: 'acme/4711-1',
      id: 'acme/4711-1:3',
      type: 'gondola.sku.v1',
      time: '2026-11-20T13:15:02.114Z',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      value: null,
      contentType: null,
    };
    const wire = encodeRecord(bare, 'catalog-publisher');
    expect(wire.headers.map(([name]) => name)).toEqual([
      'ce_specversion',
      'ce_id',
      'ce_source',
      'ce_type',
      'ce_time',
      'traceparent',
    ]);
    expect(wire.value).toBeNull();
  });

  it('preserves any header values, null and repeated ones included, in their text form', () => {
    fc.assert(
      fc.property(anyHeaders, (headers) => {
        expect(headersFromText(headersToText(headers))).toEqual(headers);
      }),
    );
  });

  it('leaves UTF-8 readable in the text form, which PostgreSQL can store', () => {
    const text = headersToText([
      ['ce_id', Buffer.from('ação')],
      ['zero', Buffer.from([0])],
      ['binary', Buffer.from([0xff])],
      ['none', null],
    ]);
    expect(text).toBe('[["ce_id","ação"],["zero","\\u0000"],["binary",{"base64":"/w=="}],["none",null]]');
  });

  it('preserves non-null header values byte for byte from Kafka and back, in order within a name', () => {
    fc.assert(
      fc.property(anyHeaders, (headers) => {
        const record = consumed(headers);
        for (const [name] of headers) {
          const sent = headers.filter(([each]) => each === name).map(([, value]) => value ?? Buffer.alloc(0));
          expect(record.headers.filter(([each]) => each === name).map(([, value]) => value)).toEqual(sent);
        }
        expect(record.headers).toHaveLength(headers.length);
      }),
    );
  });

  it('reads the last header of a name, and nothing if that is null or absent', () => {
    const headers: RawHeaders = [
      ['a', Buffer.from('1')],
      ['a', Buffer.from('2')],
      ['b', null],
    ];
    expect(headerText(headers, 'a')).toBe('2');
    expect(headerText(headers, 'b')).toBeUndefined();
    expect(headerText(headers, 'c')).toBeUndefined();
  });

  it('reads a header without a value as null', () => {
    const record = decodeRecord('erp.orders.commands.v1', 3, {
      key: Buffer.from('k'),
      value: Buffer.from([0]),
      timestamp: '1',
      attributes: 0,
      offset: '5',
      // kafkajs' types do not allow null, but its decoder returns it.
      headers: { none: null as unknown as Buffer },
    });
    expect(record.headers).toEqual([['none', null]]);
    expect(record.header('none')).toBeUndefined();
  });
});
