import { commandPartitionKey, type EntityIdentity, partitionKey, subjectOf } from '@gondola/shared/topics/identities';
import { fitResult } from '@gondola/shared/results/fit-result';
import { type JsonRecord, stringifyWithDigits } from '@gondola/shared/json/json-digits';
import type { Result, ResultEntity } from '@gondola/shared/results/result';

import type { OutRecord } from './record-codec.ts';

/** Topics whose values are results. */
export type ResultTopic = 'erp.catalog.results.v1' | 'erp.orders.results.v1' | 'erp.files.results.v1';

/**
 * Record of a result (contract, "Headers on what Gondola writes"): keyed by its dedup key, and partitioned by its
 * entity. If the entity is unreadable, the record has no `ce_subject` and is partitioned by its command. A result
 * that is too large for its topic is cut and marked as cut.
 */
export function resultRecord(topic: ResultTopic, result: Result, traceparent: string): OutRecord {
  const { id, type, time, tenant, commandId } = result;
  const entity = result.entity === null ? null : identityOf(result.entity);
  return {
    topic,
    key: id,
    id,
    type,
    time,
    tenant,
    commandId,
    ...(entity !== null && { subject: subjectOf(entity) }),
    partitionKey:
      entity === null ? commandPartitionKey(tenant, commandId) : partitionKey(tenant, entity.kind, entity.identity),
    traceparent,
    value: Buffer.from(stringifyWithDigits(fitResult(result) as unknown as JsonRecord)),
  };
}

function identityOf(entity: ResultEntity): EntityIdentity {
  if ('orderNumber' in entity) return { kind: 'order', identity: String(entity.orderNumber) };
  if ('entityId' in entity) return { kind: 'file', identity: entity.entityId };
  return { kind: entity.kind, identity: entity.externalReference };
}
