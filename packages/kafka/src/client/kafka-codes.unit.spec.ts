import { createRequire } from 'node:module';

import { describe, expect, it } from '@jest/globals';

import { causeOf, codeOf, KAFKA_CODES, REMEDY } from './kafka-codes.ts';

const { errorCodes } = createRequire(import.meta.url)('kafkajs/src/protocol/error.js') as {
  readonly errorCodes: readonly { readonly code: number; readonly type: string; readonly retriable: boolean }[];
};

/** kafkajs' names of before Kafka renamed the codes. */
const RENAMED: Readonly<Record<string, string>> = {
  UNKNOWN: 'UNKNOWN_SERVER_ERROR',
  NOT_LEADER_FOR_PARTITION: 'NOT_LEADER_OR_FOLLOWER',
  GROUP_LOAD_IN_PROGRESS: 'COORDINATOR_LOAD_IN_PROGRESS',
  GROUP_COORDINATOR_NOT_AVAILABLE: 'COORDINATOR_NOT_AVAILABLE',
  NOT_COORDINATOR_FOR_GROUP: 'NOT_COORDINATOR',
};

describe("the table of Kafka's codes", () => {
  it('has every code that kafkajs knows, by its number', () => {
    const own = new Map(errorCodes.map(({ code, type }) => [code, RENAMED[type] ?? type]));
    expect(own.size).toBeGreaterThan(80);
    expect(new Map([...own.keys()].map((code) => [code, codeOf(code)]))).toEqual(own);
  });

  it('has no gap between the first code and the last, and each name once', () => {
    const numbers = KAFKA_CODES.map(({ number }) => number);
    expect(numbers).toEqual([-1, ...Array.from({ length: numbers.at(-1)! }, (_, index) => index + 1)]);
    expect(new Set(KAFKA_CODES.map(({ name }) => name)).size).toBe(numbers.length);
  });

  it('says of three codes alone that they depend on the record, none of which Kafka calls retriable', () => {
    const ofRecord = KAFKA_CODES.filter(({ cause }) => cause === 'record');
    expect(ofRecord.map(({ name }) => name)).toEqual(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD']);
    const retriable = new Set(errorCodes.filter((each) => each.retriable).map(({ code }) => code));
    expect(ofRecord.filter(({ number }) => retriable.has(number))).toEqual([]);
  });

  it('takes a code that a later Kafka adds for one of the broker, and says what to do about each cause', () => {
    expect([codeOf(999), causeOf(codeOf(999))]).toEqual(['CODE_999', 'broker']);
    expect(KAFKA_CODES.filter(({ cause }) => REMEDY[cause] === '')).toEqual([]);
  });
});
