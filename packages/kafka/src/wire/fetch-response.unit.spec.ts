import { createRequire } from 'node:module';

import { describe, expect, it } from '@jest/globals';

import { FETCH_VERSIONS, type FetchVersion, type FieldReader, readFetchResponse } from './fetch-response.ts';
import type { FetchedRecord } from './fetched-record.ts';

const require = createRequire(import.meta.url);
const Decoder = require('kafkajs/src/protocol/decoder.js') as new (bytes: Buffer) => FieldReader;
// Loaded without `kafkajs-native`, so these are kafkajs' own decoders.
const ownDecode = (version: FetchVersion) =>
  (
    require(`kafkajs/src/protocol/requests/fetch/v${version}/response.js`) as {
      decode: (bytes: Buffer) => Promise<object>;
    }
  ).decode;

const int16 = (value: number) => bytesOf(2, (bytes) => bytes.writeInt16BE(value));
const int32 = (value: number) => bytesOf(4, (bytes) => bytes.writeInt32BE(value));
const int64 = (value: number) => bytesOf(8, (bytes) => bytes.writeBigInt64BE(BigInt(value)));

function bytesOf(size: number, write: (bytes: Buffer) => unknown): Buffer {
  const bytes = Buffer.alloc(size);
  write(bytes);
  return bytes;
}

function partition(version: FetchVersion, id: number, records: Buffer): Buffer {
  return Buffer.concat([
    int32(id),
    int16(0),
    int64(id + 100),
    int64(id + 90),
    ...(version >= 5 ? [int64(3)] : []),
    int32(2),
    int64(11),
    int64(12),
    int64(13),
    int64(14),
    ...(version >= 11 ? [int32(-1)] : []),
    int32(records.length),
    records,
  ]);
}

function answer(version: FetchVersion, records: Buffer): Buffer {
  const name = Buffer.from('a-topic');
  return Buffer.concat([
    int32(17),
    ...(version >= 7 ? [int16(0), int32(99)] : []),
    int32(1),
    int16(name.length),
    name,
    int32(3),
    ...[0, 1, 2].map((id) => partition(version, id, records)),
  ]);
}

describe('an answer to a fetch', () => {
  it.each(FETCH_VERSIONS)(
    'is read as kafkajs reads it (version %d), without its aborted transactions',
    async (version) => {
      const bytes = answer(version, Buffer.alloc(0));
      const expected = (await ownDecode(version)(bytes)) as Awaited<ReturnType<typeof readFetchResponse>>;
      expect(await readFetchResponse(version, new Decoder(bytes), 1, async () => [])).toEqual({
        ...expected,
        responses: expected.responses.map((topic) => ({
          ...topic,
          partitions: topic.partitions.map((each) => ({ ...each, abortedTransactions: [] })),
        })),
      });
    },
  );

  it('hands the reader of records the aborted transactions of their partition', async () => {
    const given: unknown[] = [];
    await readFetchResponse(11, new Decoder(answer(11, Buffer.from('x'))), 0, async (_, aborted) => {
      given.push(aborted);
      return [];
    });
    const listed = [
      { producerId: '11', firstOffset: '12' },
      { producerId: '13', firstOffset: '14' },
    ];
    expect(given).toEqual([listed, listed, listed]);
  });

  it('begins with another partition each time, so that the budget starves none', async () => {
    const firsts: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      let isFirst = true;
      const { responses } = await readFetchResponse(11, new Decoder(answer(11, Buffer.from('x'))), turn, async () => {
        const records = isFirst ? [{ offset: '1' } as FetchedRecord] : [];
        isFirst = false;
        return records;
      });
      const partitions = responses[0]!.partitions;
      firsts.push(partitions.find(({ messages }) => messages.length > 0)!.partition);
    }
    expect(firsts).toEqual([0, 1, 2, 0, 1, 2]);
  });
});
