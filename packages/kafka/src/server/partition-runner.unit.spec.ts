import { describe, expect, it } from '@jest/globals';
import type { KafkaMessage } from 'kafkajs';

import { chunksOf } from './partition-runner.ts';
import { FetchedRecord } from '../wire/fetched-record.ts';

const LIMITS = { records: 3, bytes: 100, headers: 10 };

function record(bytes: number, headerCount = 0): KafkaMessage {
  return new FetchedRecord({
    offset: '0',
    timestamp: '0',
    key: null,
    value: Buffer.alloc(bytes),
    headerCount,
    headerBytes: Buffer.alloc(2 * headerCount),
    batchContext: { producerId: '-1', inTransaction: false },
    isControlRecord: false,
  });
}

function sizesOf(messages: readonly KafkaMessage[]): number[] {
  return [...chunksOf(messages, LIMITS)].map(({ length }) => length);
}

describe('the records of one transaction', () => {
  it('are at most as many as the limit', () => {
    const messages = Array.from({ length: 7 }, () => record(1));
    expect(sizesOf(messages)).toEqual([3, 3, 1]);
    expect([...chunksOf(messages, LIMITS)].flat()).toEqual(messages);
    expect(sizesOf([])).toEqual([]);
  });

  it('have at most the bytes of the limit, and a larger one stands alone', () => {
    expect(sizesOf([record(60), record(40), record(1), record(500), record(100), record(1)])).toEqual([2, 1, 1, 1, 1]);
  });

  it('have at most the headers of the limit', () => {
    expect(sizesOf([record(0, 5), record(0, 5), record(0, 1), record(0, 11), record(0, 9)])).toEqual([2, 1, 1, 1]);
  });
});
