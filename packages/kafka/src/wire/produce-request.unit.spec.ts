import { createRequire } from 'node:module';

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import type { BatchedRecord } from './record-batch-writer.ts';
import type { RawHeaders } from '../records/record-codec.ts';
import { batchChecksum, packedRecords, readBatchHeader, readRecords } from './record-batch.ts';
import { checksum } from './checksum.ts';
import { encodeProduce, isOurs, type ProduceFields } from './produce-request.ts';

const AT = 1_760_000_000_000;
const ownRequest = createRequire(import.meta.url)('kafkajs/src/protocol/requests/produce/v3/request.js') as (
  fields: object,
) => { encode(): Promise<{ buffer: Buffer }> };

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const name = fc.string({ maxLength: 200, unit: 'binary' });
const nullable = fc.option(bytes, { nil: null });

function records(headers: fc.Arbitrary<RawHeaders>): fc.Arbitrary<BatchedRecord[]> {
  return fc.array(fc.record({ key: nullable, value: nullable, headers }), { minLength: 1, maxLength: 80 });
}

/** Headers that kafkajs can write, too: no name twice, none that an array would take for an index, no null. */
const plainHeaders = fc
  .uniqueArray(fc.tuple(name, bytes), { selector: ([each]) => each, maxLength: 5 })
  .map((headers) => headers.filter(([each]) => !/^\d+$/.test(each) && each !== '__proto__'));

function produced(...batches: BatchedRecord[][]): ProduceFields {
  const partitions = batches.map((messages, partition) => ({ partition, messages }));
  return { acks: -1, timeout: 10_000, topicData: [{ topic: 'órders', partitions }] };
}

function asKafkajsTakesIt(fields: ProduceFields): object {
  const topicData = fields.topicData.map(({ topic, partitions }) => ({
    topic,
    partitions: partitions.map(({ partition, messages }) => ({
      partition,
      firstSequence: 0,
      messages: messages.map(({ headers, ...message }) => ({
        ...message,
        timestamp: String(AT),
        headers: Object.fromEntries(headers!),
      })),
    })),
  }));
  return { ...fields, topicData };
}

describe('a produce request', () => {
  it('has the bytes that kafkajs would write, for any records', async () => {
    await fc.assert(
      fc.asyncProperty(records(plainHeaders), records(plainHeaders), async (first, second) => {
        const fields = produced(first, second);
        const own = await ownRequest(asKafkajsTakesIt(fields)).encode();
        expect(encodeProduce(fields, AT).equals(own.buffer)).toBe(true);
      }),
    );
  });

  it('keeps headers as they are: their order, a name that occurs twice, a value of null', () => {
    const headers = fc.array(fc.tuple(name, nullable), { maxLength: 6 });
    fc.assert(
      fc.property(records(headers), (sent) => {
        const batch = encodeProduce(produced(sent), AT).subarray(-batchBytes(sent));
        const header = readBatchHeader(batch)!;
        const read = readRecords(header, packedRecords(batch), { records: 100, headersPerRecord: 10 });
        expect(read.map((each) => ({ key: each.key, value: each.value, headers: each.rawHeaders() }))).toEqual(
          sent.map((each) => ({ ...each, headers: each.headers.map(([id, value]) => [wellFormed(id), value]) })),
        );
        const { stated, of } = batchChecksum(batch);
        expect(checksum(of)).toBe(stated);
      }),
    );
  });

  it('is kafkajs’ own for a producer that compresses, has transactions or has named headers', () => {
    const record = { key: null, value: null, headers: [] };
    expect(isOurs(produced([record]))).toBe(true);
    expect(isOurs({ ...produced([record]), compression: 1 })).toBe(false);
    expect(isOurs({ ...produced([record]), transactionalId: 't' })).toBe(false);
    expect(isOurs(produced([record, { ...record, headers: {} as never }]))).toBe(false);
  });
});

/** A lone surrogate has no UTF-8 and is replaced. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function batchBytes(sent: BatchedRecord[]): number {
  const others = encodeProduce(produced(sent), AT).length;
  const request = 2 + 2 + 4 + 4 + (2 + Buffer.byteLength('órders')) + 4 + 4 + 4;
  return others - request;
}
