import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';

import { anyCharacter } from '@gondola/shared/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { KafkaMessage } from 'kafkajs';

import type { FetchedRecord } from './fetched-record.ts';
import { checksum } from './checksum.ts';
import { readRecordSet, RECORD_SET_LIMITS, type RecordSetLimits, type UnpackBudget } from './record-set.ts';
import { batchOf, COMPRESSION_NAMES } from '../testing/test-codecs.ts';

const require = createRequire(import.meta.url);
const Decoder = require('kafkajs/src/protocol/decoder.js') as new (bytes: Buffer) => object;
const ownDecoder = require('kafkajs/src/protocol/recordBatch/v0/decoder.js') as (reader: object) => Promise<{
  records: readonly KafkaMessage[];
}>;

const ENOUGH = { bytes: 1_000_000_000, records: 1_000_000 };
const BODY_AT = 61;
const CODEC_NOBODY_KNOWS = 6;

function read(
  bytes: Buffer,
  limits: Partial<RecordSetLimits> = {},
  budget: UnpackBudget = { ...ENOUGH },
): Promise<FetchedRecord[]> {
  const reader = {
    limits: { ...RECORD_SET_LIMITS, ...limits },
    checksum,
    readMessages: async () => Promise.reject(new Error('No message of an old format')),
  };
  return readRecordSet(bytes, reader, budget);
}

/** Adds a valid checksum, as a producer of such a batch would. */
function signed(batch: Buffer): Buffer {
  batch.writeUInt32BE(checksum(batch.subarray(21)), 17);
  return batch;
}

const plain = (text: string) => ({ key: 'k', value: text });
const values = (records: readonly FetchedRecord[]) => records.map(({ value }) => value?.toString());

const asKafkajs = ({ offset, timestamp, key, value, headers }: FetchedRecord | KafkaMessage) => ({
  offset,
  timestamp,
  key,
  value,
  headers: { ...headers },
});

const bytesOrNull = fc.option(fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)));
const someMessage = fc.record({
  key: bytesOrNull,
  value: bytesOrNull,
  headers: fc.dictionary(
    fc.string({ maxLength: 12, unit: anyCharacter }).filter((name) => !(name in {})),
    bytesOrNull.map((bytes) => bytes ?? Buffer.alloc(0)),
    { maxKeys: 5 },
  ),
});

describe('the reader of a partition’s part of a fetch', () => {
  it.each([undefined, ...COMPRESSION_NAMES])('decodes a batch as kafkajs does (codec %s)', async (compression) => {
    await fc.assert(
      fc.asyncProperty(fc.array(someMessage, { minLength: 1, maxLength: 20 }), async (messages) => {
        const more = compression === undefined ? {} : { compression };
        const records = await read(await batchOf(messages, { firstOffset: 41, ...more }));
        const { records: expected } = await ownDecoder(new Decoder(await batchOf(messages, { firstOffset: 41 })));
        expect(records.map(asKafkajs)).toEqual(expected.map(asKafkajs));
      }),
      { numRuns: 25 },
    );
  });

  it('keeps the order of headers, repeated ones, and names that every JavaScript object has', async () => {
    const headers = Object.fromEntries(
      ['10', '__proto__', 'constructor', 'toString', '2'].map((name) => [name, Buffer.from(name)]),
    );
    const batch = await batchOf([{ key: null, value: null, headers: { ...headers, x: ['1', '2'] } }]);
    const [record] = await read(batch);
    expect(record!.headerCount).toBe(7);
    expect(record!.headers['constructor']).toEqual(Buffer.from('constructor'));
    expect(Object.getOwnPropertyDescriptor(record!.headers, '__proto__')?.value).toEqual(Buffer.from('__proto__'));
    expect(record!.headers['x']).toEqual([Buffer.from('1'), Buffer.from('2')]);
    expect(record!.headers['valueOf']).toBeUndefined();
  });

  it('leaves an incomplete batch at the end for the next fetch', async () => {
    const first = await batchOf([plain('a'), plain('b')]);
    const second = await batchOf([plain('c')], { firstOffset: 2, compression: 'zstd' });
    for (const cut of [1, 12, 40, second.length - 5]) {
      const records = await read(Buffer.concat([first, second.subarray(0, second.length - cut)]));
      expect(values(records)).toEqual(['a', 'b']);
    }
  });

  it.each(COMPRESSION_NAMES)(
    'makes one record of a batch with a broken body (%s), and reads the batches beside it',
    async (compression) => {
      const before = await batchOf([plain('before')]);
      const broken = await batchOf([plain('x'.repeat(5_000)), plain('y')], { firstOffset: 1, compression });
      broken.fill(0xee, BODY_AT + 2);
      const after = await batchOf([plain('after')], { firstOffset: 3, compression });
      const records = await read(Buffer.concat([before, broken, after]));
      expect(records.map(({ offset }) => offset)).toEqual(['0', '2', '3']);
      expect(records[1]).toMatchObject({ key: null, value: broken, headerCount: 0, isControlRecord: false });
      expect(records[1]!.unreadable).toMatch(/^offsets 1 a 2: .*não confere/);
      expect([records[0]!.unreadable, records[2]!.unreadable]).toEqual([undefined, undefined]);
      expect(values([records[0]!, records[2]!])).toEqual(['before', 'after']);
    },
  );

  it('makes one record of any damaged batch without failing', async () => {
    const whole = await batchOf([plain('one'), { key: null, value: 'two', headers: { a: 'b' } }], { firstOffset: 5 });
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 - 23 }), fc.integer({ min: 0, max: 255 }), async (at, byte) => {
        const damaged = Buffer.from(whole);
        damaged[at + 23] = byte;
        const records = await read(damaged);
        expect(records.length).toBeGreaterThan(0);
      }),
      { numRuns: 400 },
    );
  });

  it('marks a broken batch as written that way if its checksum is right', async () => {
    const batch = await batchOf([plain('a')]);
    batch.writeInt16BE(CODEC_NOBODY_KNOWS, 21);
    const [record] = await read(signed(batch));
    expect(record!.unreadable).toBe(
      'offsets 0 a 0: o codec de compressão 6 não é conhecido (a soma de verificação confere: o lote foi gravado assim)',
    );
  });

  it.each(COMPRESSION_NAMES)(
    'makes one record of a batch that is too large when unpacked (%s)',
    async (compression) => {
      const bomb = await batchOf([plain('a'.repeat(3_000_000))], { compression });
      const [record] = await read(bomb, { unpackedBytes: 2_900_000 });
      expect(record!.unreadable).toContain('o conteúdo descompactado passa de 2900000 bytes');
      const [readable] = await read(bomb, { unpackedBytes: 3_100_000 });
      expect(readable!.value).toHaveLength(3_000_000);
    },
  );

  it('makes one record of a batch that has too many records or a record with too many headers', async () => {
    const three = await batchOf([plain('a'), plain('b'), plain('c')]);
    const [record] = await read(three, { records: 2 });
    expect(record!.unreadable).toContain('o lote tem 3 registros; o máximo é 2');
    const headers = await batchOf([{ key: null, value: null, headers: { a: '', b: '', c: '' } }]);
    const [other] = await read(headers, { headersPerRecord: 2 });
    expect(other!.unreadable).toContain('o registro do offset 0 tem 3 cabeçalhos; o máximo que se lê é 2');
  });

  it('reads at least one batch, and leaves batches beyond the budget of a fetch for the next one', async () => {
    const batches = await Promise.all(
      [0, 1, 2].map((firstOffset) => batchOf([plain('a'.repeat(1_000))], { firstOffset, compression: 'gzip' })),
    );
    const budget = { bytes: 1_500, records: 100 };
    expect(await read(Buffer.concat(batches), {}, budget)).toHaveLength(2);
    expect(budget.bytes).toBeLessThan(0);
    expect(await read(Buffer.concat(batches), {}, { bytes: 1, records: 100 })).toHaveLength(1);
    expect(await read(Buffer.concat(batches), {}, { bytes: 1_000_000, records: 1 })).toHaveLength(1);
    expect(await read(Buffer.concat(batches), {}, budget)).toEqual([]);
  });

  it('skips a batch that compaction emptied', async () => {
    const empty = await batchOf([plain('a'), plain('b')], { firstOffset: 7 });
    empty.writeInt32BE(0, 57);
    const [record, ...others] = await read(empty.subarray(0, BODY_AT).fill(0, 8, 8));
    expect([record, others]).toEqual([undefined, []]);
    const whole = Buffer.from(empty.subarray(0, BODY_AT));
    whole.writeInt32BE(BODY_AT - 12, 8);
    expect(await read(whole)).toMatchObject([{ offset: '8', isControlRecord: true }]);
  });

  it('keeps a transaction to its batch, so that kafkajs leaves out an aborted one', async () => {
    const batch = await batchOf([plain('a')], { transactional: true, compression: 'gzip' });
    expect(await read(batch)).toMatchObject([{ batchContext: { producerId: '7', inTransaction: true } }]);
    batch.fill(0xee, BODY_AT);
    expect(await read(batch)).toMatchObject([
      { unreadable: expect.anything(), batchContext: { producerId: '7', inTransaction: true } },
    ]);
  });

  it('makes one record of an unreadable message of an old format', async () => {
    const old = Buffer.alloc(60);
    old.writeBigInt64BE(12n);
    old.writeInt32BE(48, 8);
    old[16] = 1;
    gzipSync('x').copy(old, 30);
    expect(await read(old)).toMatchObject([
      { offset: '12', value: old, unreadable: expect.stringContaining('offsets 12 a 12') },
    ]);
  });
});
