import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { testStack } from '@gondola/local-stack/test-stack';
import { readTopics } from '@gondola/local-stack/testing/topic-reader';
import { buildResult } from '@gondola/shared/results/result';
import { encodeRecord, type RawHeaders } from '../records/record-codec.ts';
import { resultRecord } from '../records/result-record.ts';
import { contractProblems, valueProblems } from './contract-problems.ts';
import { openTestKafka, type TestKafka } from './test-kafka.ts';

const RESULTS = 'erp.orders.results.v1';
const TIME = '2026-11-20T13:15:02.114Z';
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

function wireResult(commandId: string) {
  const result = buildResult({
    tenant: 'acme',
    inputTopic: 'erp.orders.commands.v1',
    commandId,
    command: 'Ship',
    entity: { kind: 'order', orderNumber: 1 },
    outcome: 'applied',
    time: TIME,
    receivedAt: TIME,
  });
  return encodeRecord(resultRecord(RESULTS, result, TRACEPARENT), 'order-command-handler');
}

describe('the contract check of records', () => {
  let kafka: TestKafka;

  beforeAll(async () => {
    kafka = await openTestKafka('contract-problems', [RESULTS]);
  });

  afterAll(() => kafka.close());

  it('accepts records that follow the contract, and names a field or header that does not', async () => {
    const good = wireResult('good');
    await kafka.produce(RESULTS, [good]);
    const reader = await readTopics(testStack().kafkaBrokers, [kafka.prefix + RESULTS], contractProblems(kafka.prefix));
    await expect(reader.waitForRecords(({ length }) => length === 1)).resolves.toHaveLength(1);

    const value = JSON.parse(String(good.value)) as Record<string, unknown>;
    const headers: RawHeaders = good.headers.filter(([name]) => name !== 'ce_commandid');
    await kafka.produce(RESULTS, [{ ...good, headers, value: JSON.stringify({ ...value, outcom: 'applied' }) }]);
    await expect(reader.waitForRecords(({ length }) => length === 2)).rejects.toThrow(/outcom.*\n.*ce_commandid/);
    await expect(reader.close()).rejects.toThrow(/breaks the contract/);
  });
});

function problems(value: object | string | null): string[] {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  return valueProblems('erp.orders.commands.v1', text);
}

describe('the value of a record', () => {
  it('is checked by the schema of its topic, and a command’s by its own', () => {
    const ship = { commandId: 'c-1', command: 'Ship', orderNumber: 1 };
    expect(problems(ship)).toEqual([]);
    expect(problems({ ...ship, orderNumber: 'one' })).toHaveLength(1);
    expect(problems({ ...ship, command: 'ShipIt' })).toEqual(['its command is none of the contract']);
    expect(problems('no json')).toEqual(['its value is no JSON']);
    expect(problems(null)).toEqual(['it has no value']);
  });

  it('may be null on a topic with tombstones, and anything in a dead letter', () => {
    expect(valueProblems('erp.catalog.products.v1', null)).toEqual([]);
    expect(valueProblems('catalog.skus.v1', null)).toEqual([]);
    expect(valueProblems('dead-letters.v1', 'no json')).toEqual([]);
  });
});
