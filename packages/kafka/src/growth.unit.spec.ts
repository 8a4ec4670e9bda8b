import { DOUBLED_THRICE, growthOf, TRIPLED_THRICE } from '@gondola/shared/testing/growth';
import { describe, expect, it } from '@jest/globals';

import { chunksOf } from './server/partition-runner.ts';
import { deadLetterRecord } from './records/dead-letter-record.ts';
import { checksum } from './wire/checksum.ts';
import { measureLz4 } from './wire/lz4-frame.ts';
import { murmur2 } from './wire/murmur2.ts';
import { encodeProduce } from './wire/produce-request.ts';
import { decodeRecord, headersFromText, headersToText } from './records/record-codec.ts';
import { readRecordSet, RECORD_SET_LIMITS } from './wire/record-set.ts';
import { batchOf, COMPRESSIONS } from './testing/test-codecs.ts';

const TOPIC = 'erp.orders.commands.v1';
const origin = { app: 'order-command-handler', group: 'g', topicPrefix: '' };

async function readMessages(): Promise<never> {
  throw new Error('No message of an old format');
}

function read(batch: Buffer) {
  const limits = { ...RECORD_SET_LIMITS, headersPerRecord: 1_000_000 };
  return readRecordSet(batch, { limits, checksum, readMessages }, { bytes: Infinity, records: Infinity });
}

function oneRecord(headers: Record<string, string | string[]>): Promise<Buffer> {
  return batchOf([{ key: 'k', value: 'v', headers }]);
}

async function everyStepOf(batch: Buffer): Promise<void> {
  const [message] = await read(batch);
  const record = decodeRecord(TOPIC, 0, message as never);
  record.header('ce_tenant');
  const sent = { key: null, value: null, headers: headersFromText(headersToText(record.headers)) };
  const topicData = [{ topic: TOPIC, partitions: [{ partition: 0, messages: [sent] }] }];
  encodeProduce({ acks: -1, timeout: 1, topicData }, 0);
  deadLetterRecord(
    {
      record,
      code: 'RECORD_TOO_LARGE',
      reason: '',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    },
    origin,
    '',
  );
  void message!.headers;
}

const names = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name-${index}`, 'v']));
const repeated = (count: number) => ({ x: Array.from({ length: count }, () => 'v') });
const records = (count: number) => batchOf(Array.from({ length: count }, () => ({ key: 'k', value: 'v' })));

async function chunked(batch: Buffer): Promise<unknown> {
  return [...chunksOf(await read(batch), { records: 500, bytes: 1_000_000, headers: 100 })];
}

/** A text with `count` numbers. */
function lz4Frame(count: number): Promise<Buffer> {
  return COMPRESSIONS.lz4.compress(Buffer.from(Array.from({ length: count }, (_, n) => `${n * 7_919} `).join('')));
}

/** Checks that the time for an input grows no faster than its size. */
describe('the time at most triples when the input doubles:', () => {
  it.each<
    [what: string, size: number, make: (size: number) => Buffer | Promise<Buffer>, work: (input: Buffer) => unknown]
  >([
    ['headers', 2_000, (count) => oneRecord(names(count)), everyStepOf],
    ['headers of one name', 2_000, (count) => oneRecord(repeated(count)), everyStepOf],
    ['a key', 125_000, (bytes) => Buffer.alloc(bytes, 'key'), murmur2],
    ['records of a batch', 3_000, records, chunked],
    ['an LZ4 frame', 25_000, lz4Frame, measureLz4],
  ])('%s', async (_what, size, make, work) => {
    const [small, large] = [await make(size), await make(DOUBLED_THRICE * size)];
    const growth = await growthOf(
      () => work(small),
      () => work(large),
      TRIPLED_THRICE,
    );
    expect(growth).toBeLessThanOrEqual(TRIPLED_THRICE);
  });
});
