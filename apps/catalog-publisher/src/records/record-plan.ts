import type { CatalogDefaults } from '@gondola/shared/catalog/catalog-defaults';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import type { RetrySettings } from '@gondola/shared/commands/retry';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { UnitName } from '@gondola/shared/units-and-money/units';
import type { FieldReason, Language } from '@gondola/shared/outcomes/reason-codes';
import {
  type MadeReference,
  decideAwaiting,
  missingReasons,
  referenceText,
  type Waiting,
} from '../waiting/awaiting.ts';
import { type AssumedReferences, isAssumed } from '../waiting/known-references.ts';
import type { RecordProgress } from './record-attempts.ts';

/** The tenant's catalog rules for products. */
export interface TenantCatalog {
  readonly units: Readonly<Record<string, UnitName>>;
  readonly defaults: CatalogDefaults;
  readonly commercialPolicies: Readonly<Record<string, string>>;
  readonly allowedExtraKeys: readonly string[];
}

/** Facts that decide the next step of an open record of any kind. */
export interface RecordSituation {
  /** Operations of the entity's other records, whose reports do not answer this one. */
  readonly otherOperations: ReadonlySet<string>;
  /** Milliseconds left, by the database's clock; null before the first attempt. */
  readonly deadlineInMs: number | null;
  readonly nowMs: number;
  /**
   * Time up to which notifications are stored, in milliseconds since 1970; null while unknown. A later silence may be
   * Gondola's own lag (rule 5).
   */
  readonly consumedUpToMs: number | null;
  readonly language: Language;
}

/** Outcome of a record; `F` is its effect on the entity. */
export interface RecordEnd<P, F> {
  /** Null if nothing was sent. */
  readonly progress: P | null;
  readonly conclusion: Conclusion;
  readonly effect: F;
  /** Decimal text; null if the version does not count. */
  readonly sourceVersion: string | null;
  readonly warnings: readonly FieldReason[];
  readonly operationIds: readonly string[];
  /** True if the counts of the platform's report do not add up (rule 26). */
  readonly anomaly: boolean;
}

/** Next action for a record by what is known of its attempts; `C` is its outcome. */
export type Decision<C> =
  | ({ readonly kind: 'conclude' } & C)
  | { readonly kind: 'send' }
  | { readonly kind: 'wait'; readonly ms: number }
  /** Notifications up to that time (milliseconds since 1970) have to be stored before a silence counts. */
  | { readonly kind: 'catch-up'; readonly untilMs: number };

/** Next action for the oldest open record of a lane of any kind. */
export type RecordPlan<P, F> =
  | { readonly kind: 'send'; readonly progress: P }
  /** Without progress, the read shows whether the record creates or changes. `final`: this read decides the outcome. */
  | { readonly kind: 'read'; readonly progress: P | null; readonly final: boolean }
  | { readonly kind: 'announce'; readonly waiting: Waiting }
  | { readonly kind: 'wait'; readonly progress: P | null; readonly ms: number }
  | { readonly kind: 'catch-up'; readonly progress: P | null; readonly untilMs: number }
  | { readonly kind: 'conclude'; readonly end: RecordEnd<P, F> };

/** Input of every plan. */
export interface PlanContext {
  readonly tenant: {
    readonly language: Language;
    readonly assumed: AssumedReferences;
    /** From the first `waiting` to `REFERENCE_MISSING`. */
    readonly referencesMs: number;
    readonly settings: PublishSettings;
  };
  /** `referenceText` of the named brands and categories that are known. */
  readonly knownReferences: ReadonlySet<string>;
  readonly nowMs: number;
  /** Time up to which notifications are stored, in milliseconds since 1970; null while unknown. */
  readonly consumedUpToMs: number | null;
}

/** Time limits of a record; a repeated call is idempotent (rule 27). */
export interface PublishSettings extends Pick<RetrySettings, 'deadlineMs' | 'lostAnswerMs' | 'maxAttempts'> {
  /** Time from the acceptance of a record without success events to `applied` on evidence `presumed`. */
  readonly settleMs: number;
  /** Time-out of a call. */
  readonly timeoutMs: number;
}

/** Before the first attempt: waits for unknown references (rule 24), which are missing at the deadline. */
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

/** Plan that concludes a record; `progress` is null if nothing was sent. */
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
