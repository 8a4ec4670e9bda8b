import {
  type AwaitedReferenceDto,
  RESULT_TYPE,
  type ResultDto,
  type ResultEntity,
  type SkuOutcomeDto,
} from './result.dto.ts';
import type { Plain } from '../schemas/plain.ts';
import { resultKey } from '../topics/dedup-keys.ts';
import type { JsonValue } from '../json/json-digits.ts';
import type { Evidence, FinalOutcome, Outcome } from '../outcomes/outcomes.ts';
import type { FieldReason, Reason } from '../outcomes/reason-codes.ts';
import type { TopicName } from '../topics/topics.ts';

export type { Evidence, FinalOutcome, Outcome, ResultEntity };

export type AwaitedReference = Plain<AwaitedReferenceDto>;
export type SkuOutcome = Plain<SkuOutcomeDto>;

/** One record on a result topic (contract, "Results"). */
export type Result = Plain<ResultDto>;

/** Fields for `buildResult`; the others have the value that means "none". */
export interface ResultParts {
  readonly tenant: string;
  /** Topic of the command. */
  readonly inputTopic: TopicName;
  readonly commandId: string;
  readonly command: string;
  readonly entity: ResultEntity | null;
  readonly outcome: Outcome;
  /** Time of this result, and, if it is final, of the end of the command. */
  readonly time: string;
  readonly receivedAt: string;
  /** Number of a further `waiting` (2, 3 …), or `recordHash16` of a conflicting repeat. */
  readonly suffix?: string | number;
  readonly parentCommandId?: string | null;
  readonly revision?: number | null;
  readonly reason?: Reason | null;
  readonly errors?: readonly FieldReason[];
  readonly warnings?: readonly FieldReason[];
  readonly data?: JsonValue;
  readonly evidence?: Evidence;
  readonly operationIds?: readonly string[];
  /**
   * Number of attempts to change something; a call that cannot have reached the platform's queue does not count.
   */
  readonly attempts?: number;
  readonly platform?: JsonValue;
  readonly skus?: readonly SkuOutcome[];
  readonly for?: readonly AwaitedReference[];
  readonly conflictsWith?: string | null;
  readonly correctedOutcome?: FinalOutcome;
  readonly corrects?: string;
}

/** A result with its dedup key as id. Only `waiting` is not final. */
export function buildResult(parts: ResultParts): Result {
  const final = parts.outcome !== 'waiting';
  return {
    id: resultKey(parts.tenant, parts.inputTopic, parts.commandId, parts.outcome, parts.suffix),
    type: RESULT_TYPE,
    tenant: parts.tenant,
    time: parts.time,
    commandId: parts.commandId,
    parentCommandId: parts.parentCommandId ?? null,
    command: parts.command,
    entity: parts.entity,
    outcome: parts.outcome,
    final,
    revision: parts.revision ?? null,
    reason: parts.reason ?? null,
    errors: parts.errors ?? [],
    warnings: parts.warnings ?? [],
    data: parts.data ?? null,
    evidence: parts.evidence ?? 'none',
    operationIds: parts.operationIds ?? [],
    attempts: parts.attempts ?? 0,
    receivedAt: parts.receivedAt,
    finishedAt: final ? parts.time : null,
    platform: parts.platform ?? null,
    ...optional(parts),
  };
}

function optional(parts: ResultParts): Partial<Result> {
  return {
    ...(parts.skus !== undefined && { skus: parts.skus }),
    ...(parts.for !== undefined && { for: parts.for }),
    ...(parts.conflictsWith !== undefined && { conflictsWith: parts.conflictsWith }),
    ...(parts.correctedOutcome !== undefined && { correctedOutcome: parts.correctedOutcome }),
    ...(parts.corrects !== undefined && { corrects: parts.corrects }),
  };
}
