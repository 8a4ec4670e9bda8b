import { Database } from '@gondola/service-kit/database/database';
import type { Column, NewRows } from '@gondola/lanes/store/new-rows';
import { Injectable } from '@nestjs/common';
import { PublishedRecordEntity } from './published-record.entity.ts';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { Result } from '@gondola/shared/results/result';
import { resultKey } from '@gondola/shared/topics/dedup-keys';
import { ORDER_COMMANDS } from './order-topics.ts';
import type { PendingEvent } from './order-event.ts';

/**
 * History entry of a published event or result of an order, without its content. The outbox deletes a record once
 * Kafka has it, and the content of an event is personal data.
 */
export type PublishedRecord = Readonly<Omit<PublishedRecordEntity, 'id' | 'laneId'>>;

type NewRecord = PublishedRecord & { readonly laneId: string };

const COLUMNS: readonly Column<NewRecord>[] = [
  ['lane_id', 'bigint', ({ laneId }) => laneId],
  ['published_at', 'timestamptz', ({ at }) => at],
  ['kind', 'text', ({ kind }) => kind],
  ['record_id', 'text', ({ recordId }) => recordId],
  ['type', 'text', ({ type }) => type],
  ['revision', 'integer', ({ revision }) => revision],
  ['status', 'integer', ({ status }) => status],
  ['command_id', 'text', ({ commandId }) => commandId],
  ['cause', 'text', ({ cause }) => cause],
  ['outcome', 'text', ({ outcome }) => outcome],
  ['is_correction', 'boolean', ({ isCorrection }) => isCorrection],
  ['reason_code', 'text', ({ reasonCode }) => reasonCode],
  ['evidence', 'text', ({ evidence }) => evidence],
];

@Injectable()
export class PublishedRecordsRepository {
  constructor(private readonly database: Database) {}

  /** Adds records in their order; their lanes are locked. */
  add(rows: NewRows, records: readonly NewRecord[]): void {
    rows.add('published_records', COLUMNS, records);
  }

  /** The newest `limit` entries of a lane, oldest first. */
  async newestOf(laneId: string, limit: number): Promise<PublishedRecord[]> {
    const newest = await this.database
      .repository(PublishedRecordEntity)
      .find({ where: { laneId }, order: { id: 'DESC' }, take: limit });
    return newest.toReversed();
  }
}

export function publishedEvent(event: PendingEvent, recordId: string, at: Date): PublishedRecord {
  const { type, revision, status, cause } = event;
  const commandId = cause.kind === 'command' ? cause.commandId : null;
  const noResult = { outcome: null, isCorrection: false, reasonCode: null, evidence: null };
  return { at, kind: 'event', recordId, type, revision, status, commandId, cause: cause.kind, ...noResult };
}

export function publishedResult(result: Result, at: Date): PublishedRecord {
  const { id: recordId, command: type, commandId, outcome } = result;
  return { ...resultAt(at), recordId, type, commandId, outcome, ...saysOf(result) };
}

export function publishedCorrection(
  { commandId, command, conclusion }: { commandId: string; command: string; conclusion: Conclusion },
  tenant: string,
  at: Date,
): PublishedRecord {
  const recordId = resultKey(tenant, ORDER_COMMANDS, commandId, 'corrected');
  const { outcome } = conclusion;
  return { ...resultAt(at), recordId, type: command, commandId, outcome, ...saysOf(conclusion), isCorrection: true };
}

function resultAt(at: Date) {
  return { at, kind: 'result', status: null, cause: null, isCorrection: false } as const;
}

function saysOf({ evidence, reason, revision = null }: Pick<Conclusion, 'evidence' | 'reason' | 'revision'>) {
  return { evidence, reasonCode: reason?.code ?? null, revision };
}
