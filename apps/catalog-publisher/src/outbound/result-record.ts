import type { OutRecord } from '@gondola/messaging/record-codec';
import { partitionKey, subjectOf } from '@gondola/shared/identities';
import { stringifyWithDigits, type JsonRecord } from '@gondola/shared/json-digits';
import type { Result } from '@gondola/shared/result';

/** A product's result as a record of `erp.catalog.results.v1`, ordered by its product. */
export function resultRecord(result: Result, traceparent: string | null): OutRecord {
  const { id, type, time, tenant, commandId, entity } = result;
  const identity = entity !== null && 'externalReference' in entity ? entity.externalReference : commandId;
  return {
    topic: 'erp.catalog.results.v1',
    key: id,
    id,
    type,
    time,
    tenant,
    commandId,
    subject: subjectOf({ kind: 'product', identity }),
    partitionKey: partitionKey(tenant, 'product', identity),
    ...(traceparent !== null && { traceparent }),
    value: Buffer.from(stringifyWithDigits(result as unknown as JsonRecord)),
  };
}
