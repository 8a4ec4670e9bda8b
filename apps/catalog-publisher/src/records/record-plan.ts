import { operationIdsOf } from '@gondola/shared/commands/attempts';
import type { RetrySettings } from '@gondola/shared/commands/retry';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { FieldReason, Language } from '@gondola/shared/results/reason-codes';
import {
  type MadeReference,
  decideAwaiting,
  missingReasons,
  referenceText,
  type Waiting,
} from '../waiting/awaiting.ts';
import { type AssumedReferences, isAssumed } from '../waiting/known-references.ts';
import type { RecordProgress } from './record-attempts.ts';

/** How a record ended; `F` is what that did to its entity. */
export interface RecordEnd<P, F> {
  /** Null: nothing was sent. */
  readonly progress: P | null;
  readonly conclusion: Conclusion;
  readonly effect: F;
  /** Decimal text; null where it does not count. */
  readonly sourceVersion: string | null;
  readonly warnings: readonly FieldReason[];
  readonly operationIds: readonly string[];
  /** The platform's report does not add up (rule 26). */
  readonly anomaly: boolean;
}

/** What is next for the oldest open record of a lane, of whatever kind. */
export type RecordPlan<P, F> =
  | { readonly kind: 'send'; readonly progress: P }
  /** Without progress: to see whether the record creates or changes something. `final`: what is read now decides. */
  | { readonly kind: 'read'; readonly progress: P | null; readonly final: boolean }
  | { readonly kind: 'announce'; readonly waiting: Waiting }
  | { readonly kind: 'wait'; readonly progress: P | null; readonly ms: number }
  | { readonly kind: 'catch-up'; readonly progress: P; readonly untilMs: number }
  | { readonly kind: 'conclude'; readonly end: RecordEnd<P, F> };

/** What every plan is made by. */
export interface PlanContext {
  readonly tenant: {
    readonly language: Language;
    readonly assumed: AssumedReferences;
    /** From the first `waiting` to `REFERENCE_MISSING`. */
    readonly referencesMs: number;
    readonly settings: PublishSettings;
  };
  /** `referenceText` of the brands and categories that are known, of those that the records name. */
  readonly knownReferences: ReadonlySet<string>;
  readonly nowMs: number;
  /** Notifications up to then are stored; null while that is not known. */
  readonly consumedUpToMs: number | null;
}

/** How long things may take; a repeat is idempotent (rule 27). */
export interface PublishSettings extends Pick<RetrySettings, 'deadlineMs' | 'lostAnswerMs' | 'maxAttempts'> {
  /** From the acceptance of what nobody reports on to "nobody said no". */
  readonly settleMs: number;
}

/** Before the first attempt: references that are not known are waited for (rule 24), and in the end are missing. */
export function planAwaiting<P>(
  ready: { readonly progress: P; readonly made: readonly MadeReference[] },
  waiting: Waiting | null,
  { tenant: { language, assumed, referencesMs }, knownReferences, nowMs }: PlanContext,
): Extract<RecordPlan<P, never>, { kind: 'send' | 'announce' | 'wait' }> | { kind: 'missing'; errors: FieldReason[] } {
  const missing = ready.made.filter((each) => !knownReferences.has(referenceText(each)) && !isAssumed(assumed, each));
  const awaiting = decideAwaiting(missing, waiting, nowMs, referencesMs);
  if (awaiting.kind === 'go') return { kind: 'send', progress: ready.progress };
  if (awaiting.kind === 'wait') return { ...awaiting, progress: null };
  if (awaiting.kind === 'announce') return awaiting;
  return { kind: 'missing', errors: missingReasons(awaiting.missing, language) };
}

/** The end of a record; `progress` is null where nothing was sent. */
export function concludePlan<P extends RecordProgress, F>(
  progress: P | null,
  end: Omit<RecordEnd<P, F>, 'progress' | 'operationIds'>,
): RecordPlan<P, F> {
  const { conclusion, effect, sourceVersion, warnings, anomaly } = end;
  const operationIds = progress === null ? [] : operationIdsOf(progress);
  return {
    kind: 'conclude',
    end: { progress, conclusion, effect, sourceVersion, warnings, operationIds, anomaly },
  };
}
