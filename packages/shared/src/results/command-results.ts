import { recordHash16 } from '../topics/dedup-keys.ts';
import type { TopicName } from '../topics/topics.ts';
import type { Conclusion } from './conclusion.ts';
import { type Language, reasonOf } from '../outcomes/reason-codes.ts';
import { type AwaitedReference, buildResult, type Result, type ResultEntity } from './result.ts';

/** Fields of a command that its results repeat. */
export interface ResultSubject {
  readonly tenant: string;
  /** Topic of the command. */
  readonly inputTopic: TopicName;
  readonly commandId: string;
  readonly command: string;
  readonly entity: ResultEntity | null;
  readonly parentCommandId?: string | null;
  /** RFC 3339, like all times here. */
  readonly receivedAt: string;
}

/** Work done for a command, and the time of its result. */
export interface ResultFigures {
  readonly time: string;
  /** Number of attempts to change something; calls that cannot have reached the platform's queue do not count. */
  readonly attempts: number;
  readonly operationIds: readonly string[];
}

/** The one final result of a command (guarantee 3). */
export function finalResult(subject: ResultSubject, conclusion: Conclusion, figures: ResultFigures): Result {
  return buildResult({ ...subjectOf(subject), ...conclusion, ...figures });
}

/** The only correction of an `unconfirmed` result, or of `applied` on evidence `presumed` (guarantee 3). */
export function correctionResult(
  subject: ResultSubject,
  conclusion: Conclusion,
  figures: ResultFigures & {
    /** `id` of the result that the correction replaces. */
    readonly corrects: string;
  },
): Result {
  const correctedOutcome = conclusion.outcome;
  return buildResult({ ...subjectOf(subject), ...conclusion, ...figures, outcome: 'corrected', correctedOutcome });
}

/** Result of a command that begins to wait for references; `count` numbers such results of a command from 1. */
export function waitingResult(
  subject: ResultSubject,
  awaited: readonly AwaitedReference[],
  { time, attempts, count }: Pick<ResultFigures, 'time' | 'attempts'> & { readonly count: number },
): Result {
  const suffix = count > 1 ? { suffix: count } : {};
  return buildResult({ ...subjectOf(subject), outcome: 'waiting', for: awaited, time, attempts, ...suffix });
}

/**
 * Result of a command that uses an earlier id with other content (rule 19). Its key is distinct, derived from the
 * record's bytes.
 */
export function conflictResult(
  subject: Omit<ResultSubject, 'receivedAt'>,
  about: {
    /** Value of the record as received; null for a tombstone. */
    readonly value: Uint8Array | null;
    readonly time: string;
    readonly language: Language;
    /** `id` of the first command's result; null while there is none. */
    readonly conflictsWith: string | null;
    /** Field with the ERP's id; absent if the record need not have one. */
    readonly field?: string;
    readonly skus?: readonly [];
  },
): Result {
  const { value, time, language, conflictsWith, field, skus } = about;
  return buildResult({
    ...subjectOf({ ...subject, receivedAt: time }),
    outcome: 'invalid',
    suffix: recordHash16(value ?? new Uint8Array()),
    time,
    reason: reasonOf('DUPLICATE_COMMAND', language, {
      params: { given: subject.commandId },
      ...(field !== undefined && { field }),
    }),
    conflictsWith,
    ...(skus !== undefined && { skus }),
  });
}

/** Copies only the subject's fields, whatever else the caller's object contains. */
function subjectOf(subject: ResultSubject): ResultSubject {
  const { tenant, inputTopic, commandId, command, entity, parentCommandId = null, receivedAt } = subject;
  return { tenant, inputTopic, commandId, command, entity, parentCommandId, receivedAt };
}
