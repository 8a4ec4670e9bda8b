import type { FieldReason } from '@gondola/shared/results/reason-codes';
import { buildResult, type Result } from '@gondola/shared/results/result';
import type { Waiting } from './awaiting.ts';
import { CATALOG_TOPICS, type CatalogKind } from './catalog-kinds.ts';
import type { Conclusion } from './conclusion.ts';

export const CATALOG_RESULTS = 'erp.catalog.results.v1';

/** Whose results these are. */
export interface ResultAbout {
  readonly tenant: string;
  readonly kind: CatalogKind;
  readonly externalReference: string;
  /** RFC 3339; when the result was made. */
  readonly time: string;
}

/** A record in the words of its results. */
export interface ToldRecord {
  readonly commandId: string;
  /** Its `op`. */
  readonly command: string;
  readonly receivedAt: string;
  readonly attempts: number;
}

export interface EndedRecord extends ToldRecord {
  readonly operationIds: readonly string[];
  readonly warnings: readonly FieldReason[];
}

export interface CorrectedRecord extends ToldRecord {
  readonly operationIds: readonly string[];
  /** `id` of the result that no longer holds. */
  readonly resultId: string;
}

/** The one result of a record (contract, "Results": Catalog). */
export function endResult(about: ResultAbout, record: EndedRecord, conclusion: Conclusion): Result {
  const { commandId, command, receivedAt, attempts, operationIds, warnings } = record;
  return buildResult({
    ...common(about),
    ...told(about, conclusion),
    commandId,
    command,
    receivedAt,
    attempts,
    operationIds,
    warnings,
  });
}

/** What became, after all, of a record that had ended presumed or unconfirmed. */
export function correctionResult(about: ResultAbout, record: CorrectedRecord, conclusion: Conclusion): Result {
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

/** That a record waits for references, and for which (rule 24); the first one has no number. */
export function waitingResult(about: ResultAbout, record: ToldRecord, { told: count, for: awaited }: Waiting): Result {
  const { commandId, command, receivedAt, attempts } = record;
  return buildResult({
    ...common(about),
    commandId,
    command,
    receivedAt,
    attempts,
    outcome: 'waiting',
    for: awaited,
    ...(count > 1 && { suffix: count }),
  });
}

function common({ tenant, kind, externalReference, time }: ResultAbout) {
  return { tenant, inputTopic: CATALOG_TOPICS[kind], entity: { kind, externalReference }, time };
}

function told({ kind }: ResultAbout, { skus, ...conclusion }: Conclusion) {
  return kind === 'product' ? { ...conclusion, skus } : conclusion;
}
