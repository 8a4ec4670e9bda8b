import type { ReadRecord } from '@gondola/local-stack/testing/topic-reader';
import { contractSchema } from '@gondola/shared/contract/contract-record';
import { contractRecordOf } from '@gondola/shared/contract/contract-records';
import type { JsonValue } from '@gondola/shared/json/json-digits';
import { type SchemaCheck, schemaCheck } from '@gondola/shared/testing/schema-check';
import { liveTopic, type TopicName, topicNameOf } from '@gondola/shared/topics/topics';

import { headerSchema } from '../records/topic-headers.ts';

/** Topics whose records may have no value. */
const WITH_TOMBSTONES: readonly TopicName[] = [
  'erp.catalog.brands.v1',
  'erp.catalog.categories.v1',
  'erp.catalog.products.v1',
  'catalog.skus.v1',
];

const checks = new Map<string, SchemaCheck>();

/**
 * Checks records of an installation against the contract's schemas, as a reader of the topics does. Records that
 * Gondola writes have no field outside their schema.
 */
export function contractProblems(prefix: string): (record: ReadRecord) => string[] {
  return ({ topic, partition, offset, value, headers }) => {
    const full = topicNameOf(prefix, topic);
    if (full === null) return [];
    const name = liveTopic(full);
    const check = checkOf(`headers of ${name}`, () => schemaCheck(headerSchema(name)));
    const problems = [...valueProblems(name, value), ...check(headers)];
    return problems.map((problem) => `${name}/${partition}/${offset} breaks the contract: ${problem}`);
  };
}

/** Checks the value of a record against the schema of its topic; a dead letter may have any value. */
export function valueProblems(name: TopicName, value: Buffer | string | null): string[] {
  const topic = liveTopic(name);
  if (topic === 'dead-letters.v1') return [];
  if (value === null) return WITH_TOMBSTONES.includes(topic) ? [] : ['it has no value'];
  let json: JsonValue;
  try {
    json = JSON.parse(value.toString()) as JsonValue;
  } catch {
    return ['its value is no JSON'];
  }
  const record = contractRecordOf(topic, json);
  if (record === null) return ['its command is none of the contract'];
  const closed = record.writer === 'gondola';
  return checkOf(record.name, () => schemaCheck(contractSchema(record, { closed })))(json);
}

function checkOf(name: string, make: () => SchemaCheck): SchemaCheck {
  const check = checks.get(name) ?? make();
  checks.set(name, check);
  return check;
}
