import { isPlainRecord, type JsonValue } from '../json/json-digits.ts';
import type { TopicName } from '../topics/topics.ts';
import type { ContractRecord } from './contract-record.ts';
import { ERP_RECORDS } from './erp-records.ts';
import { GONDOLA_RECORDS } from './gondola-records.ts';

/** Every record of the contract that has fields, in both directions. */
export const CONTRACT_RECORDS: readonly ContractRecord[] = [...ERP_RECORDS, ...GONDOLA_RECORDS];

/** The contract's record for a value on a topic; null if the topic has no such command or no schema. */
export function contractRecordOf(topic: TopicName, value: JsonValue): ContractRecord | null {
  const records = CONTRACT_RECORDS.filter(({ topics }) => topics.includes(topic));
  if (records.length < 2) return records[0] ?? null;
  const command = isPlainRecord(value) ? value['command'] : null;
  return records.find(({ name }) => name === command) ?? null;
}
