import { isPlainRecord, parseWithDigits } from '@gondola/shared/json/json-digits';
import { given } from '@gondola/shared/fields/field-reasons';
import { type FieldReason, type Language, reasonText } from '@gondola/shared/outcomes/reason-codes';
import type { AwaitedReference } from '@gondola/shared/results/result';

/** A reference of a record, with its field in the ERP's names. */
export interface NamedReference extends AwaitedReference {
  readonly field: string;
}

/** A reference that `catalog.assumeExists` may cover. */
export interface MadeReference extends NamedReference {
  readonly kind: 'brand' | 'category';
}

/** The wait of a record, as in its last `waiting` result; stored between two lane steps. */
export interface Waiting {
  readonly for: readonly AwaitedReference[];
  /** Number of `waiting` results; stored rows have this name. */
  readonly announced: number;
  /** Begin of the wait, RFC 3339. The deadline runs from it, also when other references follow. */
  readonly since: string;
}

/**
 * Next action of a prepared record with unknown references (rule 24).
 *
 *   missing ──▶ announce ──▶ committed ──▶ still missing ──▶ wait ──▶ deadline: expired, REFERENCE_MISSING
 *                  ▲                           │
 *                  └──── others are missing ◀──┘
 *
 * An announced record is checked once more after the commit. That check sees a reference that became known before it;
 * one that becomes known later finds the stored wait. So no wake is lost, and neither side locks the other's row.
 */
export type AwaitDecision =
  | { readonly kind: 'go' }
  | { readonly kind: 'announce'; readonly waiting: Waiting }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'expired'; readonly missing: readonly NamedReference[] };

export function decideAwaiting(
  missing: readonly NamedReference[],
  before: Waiting | null,
  nowMs: number,
  deadlineMs: number,
): AwaitDecision {
  if (missing.length === 0) return { kind: 'go' };
  const since = before?.since ?? new Date(nowMs).toISOString();
  const leftMs = Date.parse(since) + deadlineMs - nowMs;
  if (leftMs <= 0) return { kind: 'expired', missing };
  const awaited = missing.map(({ kind, externalReference }) => ({ kind, externalReference }));
  if (before !== null && sameReferences(before.for, awaited)) return { kind: 'wait', ms: leftMs };
  return { kind: 'announce', waiting: { for: awaited, announced: (before?.announced ?? 0) + 1, since } };
}

/** Errors of a record whose references stayed unknown until the deadline. */
export function missingReasons(missing: readonly NamedReference[], language: Language): FieldReason[] {
  return missing.map(({ field, externalReference }) => ({
    field,
    code: 'REFERENCE_MISSING',
    message: reasonText('REFERENCE_MISSING', language, given(externalReference, language)),
    hint: externalReference,
  }));
}

/** Reads the wait from the JSON text of a record's progress; null for none. */
export function waitingFromText(text: string | null): Waiting | null {
  if (text === null) return null;
  const value = parseWithDigits(text);
  const waiting = isPlainRecord(value) ? value['waiting'] : undefined;
  return isPlainRecord(waiting) ? (waiting as unknown as Waiting) : null;
}

/** Progress of an unprepared record, with the reason why its next call could not be made. */
export function blockedToText(waiting: Waiting | null, blocked: string): string {
  return JSON.stringify({ ...(waiting !== null && { waiting }), blocked });
}

/** Text key of a reference, unique within a tenant. */
export function referenceText({ kind, externalReference }: AwaitedReference): string {
  return `${kind}/${externalReference}`;
}

function sameReferences(one: readonly AwaitedReference[], other: readonly AwaitedReference[]): boolean {
  const texts = new Set(one.map(referenceText));
  return one.length === other.length && other.every((reference) => texts.has(referenceText(reference)));
}
