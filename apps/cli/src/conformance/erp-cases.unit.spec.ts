import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { valueProblems } from '@gondola/kafka/testing/contract-problems';
import { contractSchema } from '@gondola/shared/contract/contract-record';
import { contractRecordOf } from '@gondola/shared/contract/contract-records';
import { schemaCheck } from '@gondola/shared/testing/schema-check';
import { erpCases, type Examples } from './erp-cases.ts';

function example(name: string): Examples['event'] {
  const file = new URL(`../../../../docs/contract/examples/${name}.v1.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Examples['event'];
}

const EXAMPLES = {
  event: example('order-event'),
  result: example('result'),
  sku: example('sku'),
};
const CASES = erpCases(EXAMPLES, 'acme', 1_000_000_000).map(([, name, topic, ...records]) => ({
  name,
  topic,
  records,
}));
const NEW = ['ignores unknown fields', 'gets over new words', 'gets over new reasons'];

describe('a record for an ERP', () => {
  it.each(CASES)('that $name is of the contract', ({ name, topic, records }) => {
    for (const { value } of records) {
      const record = contractRecordOf(topic, (value ?? EXAMPLES.sku) as never)!;
      expect(schemaCheck(contractSchema(record))(value ?? EXAMPLES.sku)).toEqual([]);
      // An app writes such records today, but for those of a later release.
      const problems = valueProblems(topic, value === null ? null : JSON.stringify(value));
      expect(problems.length > 0).toBe(NEW.includes(name));
    }
  });

  it('has one order of its own where it is no repeat', () => {
    const ids = CASES.flatMap(({ records }) => records.map(({ key, value }) => `${key} ${JSON.stringify(value)}`));
    const keys = new Set(CASES.flatMap(({ records }) => records.map(({ key }) => key)));
    // A key has one content; that of a SKU has its snapshot and its end.
    expect(new Set(ids).size).toBe(keys.size + 1);
  });
});
