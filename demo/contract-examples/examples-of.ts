import type { ReadRecord } from '@gondola/local-stack/testing/topic-reader';
import { type ContractRecord, contractSchema, schemaName } from '@gondola/shared/contract/contract-record';
import { contractRecordOf } from '@gondola/shared/contract/contract-records';
import { parseWithDigits } from '@gondola/shared/json/json-digits';
import { schemaCheck } from '@gondola/shared/testing/schema-check';
import { topicNameOf } from '@gondola/shared/topics/topics';
import { normalised } from './normalised-example.ts';

/** Fields that distinguish examples of one schema. */
interface Told {
  readonly type?: string;
  readonly command?: string;
  readonly outcome?: string;
  readonly eventType?: string;
  readonly cause?: { readonly kind: string };
  readonly entity?: { readonly kind: string };
}

/**
 * One example of each schema, type of event and outcome among the records of a run: file names and texts. If
 * several records qualify, the one whose normalised text sorts first is used, so that the order of arrival does not
 * matter.
 */
export function examplesOf(prefix: string, records: readonly ReadRecord[]): ReadonlyMap<string, string> {
  const examples = new Map<string, string>();
  for (const { topic, value } of records) {
    const name = topicNameOf(prefix, topic);
    if (name === null || value === null || name === 'dead-letters.v1') continue;
    const text = normalised(value.toString());
    const record = contractRecordOf(name, parseWithDigits(text));
    for (const file of record === null ? [] : filesOf(record, text)) {
      const before = examples.get(file);
      if (before === undefined || text < before) examples.set(file, text);
    }
  }
  return new Map([...examples].map(([file, text]) => [file, indented(text)]));
}

const CANCEL: ReadonlySet<string> = new Set(['CancellationStarted', 'OrderCancelled']);

/** Files for which a record can be the example. */
function filesOf(record: ContractRecord, text: string): string[] {
  const value = JSON.parse(text) as Told;
  const name = schemaName(record);
  switch (record.name) {
    case 'order-event':
      // An ERP's cancel is published as one event or as two, depending on the arrival of its notifications.
      if (value.cause?.kind === 'command' && CANCEL.has(value.type ?? '')) return [];
      return [value.type === 'OrderApproved' ? `${name}.json` : `${name}.${value.type}.json`];
    case 'notification':
      return value.eventType === 'Order_Updated' ? [`${name}.json`] : [];
    case 'result':
      if (value.outcome !== 'applied') return [`${name}.${value.outcome}.json`];
      if (value.command === 'ReportPicking') return [`${name}.json`];
      return value.entity?.kind === 'product' ? [`${name}.product.json`] : [];
    default:
      return [`${name}.json`, ...(isFirst(record, value) ? [`${schemaName(record, 'create')}.json`] : [])];
  }
}

/** True if the record has all fields that its create schema requires. */
function isFirst(record: ContractRecord, value: unknown): boolean {
  if (record.hasCreateSchema !== true) return false;
  const check = createChecks.get(record.name) ?? schemaCheck(contractSchema(record, { mode: 'create' }));
  createChecks.set(record.name, check);
  return check(value).length === 0;
}

const createChecks = new Map<string, ReturnType<typeof schemaCheck>>();

/** Numbers retain their digits: 12.50 is not 12.5. */
function indented(text: string): string {
  return `${JSON.stringify(parseWithDigits(text), null, 2)}\n`;
}
