import { recordHash16 } from '@gondola/shared/dedup-keys';
import { type Language, reasonOf } from '@gondola/shared/reason-codes';
import { buildResult, type Result } from '@gondola/shared/result';
import type { TopicName } from '@gondola/shared/topics';
import type { Conclusion } from './conclusion.ts';
import type { Correction } from './corrections.ts';
import type { FieldReason } from '@gondola/shared/reason-codes';

/** The kinds of entities that the app's records are about. */
type CatalogKind = 'product';

/** Whose results these are. */
export interface ResultAbout {
  readonly tenant: string;
  readonly topic: TopicName;
  readonly kind: CatalogKind;
  readonly externalReference: string;
  /** RFC 3339; when the result was made. */
  readonly time: string;
}

/** What the result of a record's end needs beside its conclusion. */
export interface EndedRecord {
  readonly commandId: string;
  /** Its `op`. */
  readonly command: string;
  readonly receivedAt: string;
  readonly attempts: number;
  readonly operationIds: readonly string[];
  readonly warnings: readonly FieldReason[];
}

/** The one result of a record (contract, "Results": Catalogue). */
export function endResult(about: ResultAbout, record: EndedRecord, conclusion: Conclusion): Result {
  return buildResult({ ...common(about), ...record, ...told(about, conclusion) });
}

/** What became, after all, of a record that had ended `unconfirmed`. */
export function correctionResult(about: ResultAbout, { record, settled: { conclusion } }: Correction): Result {
  const { commandId, command, receivedAt, attempts, operationIds, resultId } = record;
  return buildResult({
    ...common(about),
    ...told(about, conclusion),
    commandId,
    command,
    receivedAt,
    attempts,
    operationIds,
    outcome: 'corrected',
    correctedOutcome: conclusion.outcome,
    corrects: resultId,
  });
}

/** Of a record under an id that another content has (rule 19); `value` is the record as received, null for a tombstone. */
export function conflictResult(
  about: ResultAbout,
  record: Pick<EndedRecord, 'commandId' | 'command'> & { readonly value: Uint8Array | null },
  firstResultId: string | null,
  language: Language,
): Result {
  const { commandId, command, value } = record;
  return buildResult({
    ...common(about),
    commandId,
    command,
    outcome: 'invalid',
    suffix: recordHash16(value ?? new Uint8Array()),
    reason: reasonOf('DUPLICATE_COMMAND', language),
    conflictsWith: firstResultId,
    receivedAt: about.time,
    ...(about.kind === 'product' && { skus: [] }),
  });
}

function common({ tenant, topic, kind, externalReference, time }: ResultAbout) {
  return { tenant, inputTopic: topic, entity: { kind, externalReference }, time };
}

function told({ kind }: ResultAbout, { skus, ...conclusion }: Conclusion) {
  return kind === 'product' ? { ...conclusion, skus } : conclusion;
}
