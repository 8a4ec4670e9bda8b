import { describe, expect, it } from '@jest/globals';

import {
  type DeadLetterOrigin,
  deadLetterRecord,
  isRedriveOfAnotherGroup,
  redriveOf,
  redriveRecord,
  storableText,
} from './dead-letter-record.ts';
import { type InRecord, type RawHeaders, headerText } from './record-codec.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const binary = Buffer.from([0, 255, 128]);

const origin: DeadLetterOrigin = {
  app: 'order-command-handler',
  group: 'dev-gondola.order-command-handler',
  topicPrefix: 'dev-',
};

function consumed(more: Partial<Pick<InRecord, 'key' | 'value' | 'headers'>> = {}): InRecord {
  const { key = null, value = null, headers = [] } = more;
  const record = {
    topic: 'erp.orders.commands.v1',
    partition: 2,
    offset: '41',
    timestamp: '1',
    key,
    value,
    headers,
  } as const;
  return { ...record, header: (name) => headerText(headers, name) };
}

function textsOf(headers: RawHeaders): string[] {
  return headers.map(([name, value]) => `${name}: ${value?.toString()}`);
}

describe('a dead letter as a record', () => {
  it('is cut to the limit of its topic, value before headers, and names each cut part with its whole size', () => {
    const headers: RawHeaders = Array.from({ length: 6_000 }, (_, index) => [`h${index}`, binary]);
    const record = consumed({ key: Buffer.alloc(2_000_000), value: Buffer.alloc(30_000_000), headers });
    const cut = deadLetterRecord(
      { record, code: 'RECORD_TOO_LARGE', reason: '', traceparent: TRACEPARENT },
      origin,
      '',
    );
    expect(headerText(cut.headers, 'ce_truncated')).toBe('key=2000000 value=30000000 headers=6000');
    const bytes = cut.headers.reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0) + 10, 0);
    expect(cut.key!.length + cut.value!.length + bytes).toBeLessThan(7 * 1_048_576);
    expect(cut.value!.length).toBeGreaterThan(5_000_000);

    const many = deadLetterRecord(
      { record: consumed({ headers }), code: 'RECORD_TOO_LARGE', reason: '', traceparent: TRACEPARENT },
      origin,
      '',
    );
    expect(headerText(many.headers, 'ce_truncated')).toBe('headers=6000');
    expect(many.headers.filter(([name]) => name.startsWith('orig_'))).toHaveLength(5_000);
  });

  it('has the common headers except content-type, ce_subject and ce_partitionkey, and names its origin and reason', () => {
    const record = consumed({ headers: [['traceparent', Buffer.from(TRACEPARENT)]] });
    const letter = {
      record,
      code: 'NOT_JSON',
      reason: 'Não é JSON',
      tenant: 'acme',
      traceparent: TRACEPARENT,
    } as const;
    expect(textsOf(deadLetterRecord(letter, origin, '2026-11-20T13:15:02.114Z').headers)).toEqual([
      'ce_specversion: 1.0',
      'ce_id: dev-gondola.order-command-handler/dev-erp.orders.commands.v1/2/41',
      'ce_source: /gondola/order-command-handler',
      'ce_type: gondola.dead-letter.v1',
      'ce_time: 2026-11-20T13:15:02.114Z',
      'ce_tenant: acme',
      `traceparent: ${TRACEPARENT}`,
      'ce_origintopic: dev-erp.orders.commands.v1',
      'ce_originpartition: 2',
      'ce_originoffset: 41',
      'ce_group: dev-gondola.order-command-handler',
      'ce_reasoncode: NOT_JSON',
      'ce_reason: Não é JSON',
      `orig_traceparent: ${TRACEPARENT}`,
    ]);
  });

  it('keeps key, value and headers byte for byte, null and repeated ones included', () => {
    const headers: RawHeaders = [
      ['a', binary],
      ['none', null],
      ['a', Buffer.from('2')],
    ];
    const letter = {
      record: consumed({ key: binary, value: binary, headers }),
      code: 'NOT_JSON',
      reason: '',
      traceparent: TRACEPARENT,
    } as const;
    const record = deadLetterRecord(letter, origin, '');
    expect([record.key, record.value]).toEqual([binary, binary]);
    expect(record.headers.slice(-3)).toEqual([
      ['orig_a', binary],
      ['orig_none', null],
      ['orig_a', Buffer.from('2')],
    ]);
    const bare = deadLetterRecord({ ...letter, record: consumed() }, origin, '');
    expect([bare.key, bare.value]).toEqual([null, null]);
  });

  it('has a reason that PostgreSQL can store', () => {
    expect(storableText('field a\0b \uD800')).toBe('field a\uFFFDb \uFFFD');
    expect(storableText('x'.repeat(5_000))).toHaveLength(1_000);
  });
});

describe('a redriven record', () => {
  const letter = {
    id: 'g/t/0/41',
    topic: 'erp.orders.commands.v1',
    group: origin.group,
    key: binary,
    value: null,
    headers: [['a', binary]] as RawHeaders,
    redriven: 0,
  } as const;

  it('is the original with its number, its group and its letter', () => {
    expect(redriveRecord(letter)).toEqual({
      topic: 'erp.orders.commands.v1',
      key: binary,
      value: null,
      headers: [
        ['a', binary],
        ['ce_redrive', Buffer.from('1')],
        ['ce_redrivegroup', Buffer.from(origin.group)],
        ['ce_redriveof', Buffer.from('g/t/0/41')],
      ],
    });
  });

  it('continues the count if a redriven record became a dead letter again', () => {
    const { headers } = redriveRecord(letter);
    const again = redriveRecord({ ...letter, headers, redriven: 1 });
    expect(textsOf(again.headers).slice(1)).toEqual([
      'ce_redrive: 3',
      `ce_redrivegroup: ${origin.group}`,
      'ce_redriveof: g/t/0/41',
    ]);
  });

  it('leads its own group alone to its letter', () => {
    const record = consumed({ headers: redriveRecord(letter).headers });
    expect(redriveOf(record, origin.group)).toEqual({ id: 'g/t/0/41', redrive: 1 });
    expect(redriveOf(record, 'dev-gondola.catalog-publisher')).toBeNull();
    expect(redriveOf(consumed(), origin.group)).toBeNull();
  });

  it('is consumed only by its own group', () => {
    const record = consumed({ headers: redriveRecord(letter).headers });
    expect(isRedriveOfAnotherGroup(record, origin.group)).toBe(false);
    expect(isRedriveOfAnotherGroup(record, 'dev-gondola.catalog-publisher')).toBe(true);
    expect(isRedriveOfAnotherGroup(consumed(), origin.group)).toBe(false);
  });
});
