import type { OutRecord } from '@gondola/messaging/record-codec';
import { fitResult } from '@gondola/shared/fit-result';
import { partitionKey, subjectOf } from '@gondola/shared/identities';
import { stringifyWithDigits, type JsonRecord } from '@gondola/shared/json-digits';
import type { Result } from '@gondola/shared/result';

/** A result as a record of `erp.catalog.results.v1`, ordered by its entity; one that is too large for it is cut, and says so. */
export function resultRecord(result: Result, traceparent: string | null): OutRecord {
  const { id, type, time, tenant, commandId, entity } = result;
  if (entity === null || !('externalReference' in entity)) throw new Error('A result of the catalogue is of an entity');
  const { kind, externalReference: identity } = entity;
  return {
    topic: 'erp.catalog.results.v1',
    key: id,
    id,
    type,
    time,
    tenant,
    commandId,
    subject: subjectOf({ kind, identity }),
    partitionKey: partitionKey(tenant, kind, identity),
    ...(traceparent !== null && { traceparent }),
    value: Buffer.from(stringifyWithDigits(fitResult(result) as unknown as JsonRecord)),
  };
}
