import { describe, expect, it } from '@jest/globals';

import { chunksOf } from './chunks.ts';
import { deadLetterRecord } from './dead-letter-record.ts';
import { checksum } from './kafkajs-native.ts';
import { measureLz4 } from './lz4-frame.ts';
import { murmur2 } from './murmur2.ts';
import { decodeRecord, headersFromText, headersToText, toKafkaHeaders } from './record-codec.ts';
import { readRecordSet, RECORD_SET_LIMITS } from './record-set.ts';
import { batchOf, COMPRESSIONS } from './testing/test-codecs.ts';

/** Triple for each doubling; what is quadratic takes sixteen times as long. */
const MOST = 9;
const ROUNDS = 30;
const WARM_UP = 3;
const TOPIC = 'erp.orders.commands.v1';
const origin = { app: 'order-command-handler', group: 'g', topicPrefix: '' };

type Work = () => unknown;

/** How much longer `large` takes than `small`, each by its fastest run: more runs until it is little enough, or there were many. */
async function growthOf(small: Work, large: Work): Promise<number> {
  let least = { small: Infinity, large: Infinity };
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const took = { small: await millisecondsOf(small), large: await millisecondsOf(large) };
    if (round < 0) continue;
    least = { small: Math.min(least.small, took.small), large: Math.min(least.large, took.large) };
    if (round >= 2 && least.large / least.small <= MOST) break;
  }
  return least.large / least.small;
}

async function millisecondsOf(work: Work): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

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
  toKafkaHeaders(headersFromText(headersToText(record.headers)));
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

/** The time that an input takes grows with its size, and no faster. */
describe('four times as large an input takes at most nine times as long:', () => {
  it.each([
    ['headers', 4_000, (count: number) => oneRecord(names(count))],
    ['headers of one name', 4_000, (count: number) => oneRecord(repeated(count))],
  ])('%s', async (_, count, make) => {
    const [small, large] = [await make(count), await make(4 * count)];
    expect(
      await growthOf(
        () => everyStepOf(small),
        () => everyStepOf(large),
      ),
    ).toBeLessThanOrEqual(MOST);
  });

  it('a key', async () => {
    const [small, large] = [Buffer.alloc(250_000, 'key'), Buffer.alloc(1_000_000, 'key')];
    expect(
      await growthOf(
        () => murmur2(small),
        () => murmur2(large),
      ),
    ).toBeLessThanOrEqual(MOST);
  });

  it('records of a batch', async () => {
    const [small, large] = [await records(3_000), await records(12_000)];
    expect(
      await growthOf(
        () => chunked(small),
        () => chunked(large),
      ),
    ).toBeLessThanOrEqual(MOST);
  });

  it('an LZ4 frame', async () => {
    const text = Buffer.from(Array.from({ length: 200_000 }, (_, index) => `${index * 7_919} `).join(''));
    const small = await COMPRESSIONS.lz4.compress(text.subarray(0, text.length / 4));
    const large = await COMPRESSIONS.lz4.compress(text);
    expect(
      await growthOf(
        () => measureLz4(small),
        () => measureLz4(large),
      ),
    ).toBeLessThanOrEqual(MOST);
  });
});
