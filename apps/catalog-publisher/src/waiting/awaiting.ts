import { isPlainRecord, parseWithDigits } from '@gondola/shared/json/json-digits';
import { given } from '@gondola/shared/fields/field-reasons';
import { type FieldReason, type Language, reasonText } from '@gondola/shared/results/reason-codes';
import type { AwaitedReference } from '@gondola/shared/results/result';

/** A reference that a record makes, and the field that makes it, in the ERP's names. */
export interface NamedReference extends AwaitedReference {
  readonly field: string;
}

/** One that the tenant's file may say to take for known. */
export interface MadeReference extends NamedReference {
  readonly kind: 'brand' | 'category';
}

/** What a record waits for, as its last `waiting` result names it; stored between two lane steps. */
export interface Waiting {
  readonly for: readonly AwaitedReference[];
  /** `waiting` results so far, by the name that stored rows have. */
  readonly announced: number;
  /** RFC 3339: when it began to wait; its deadline runs from then, whatever else it has to wait for later. */
  readonly since: string;
}

/**
 * What a record that is ready does about references that are not known (rule 24).
 *
 *   missing ──▶ announce ──▶ committed ──▶ missing still ──▶ wait until woken ──▶ deadline: expired, REFERENCE_MISSING
 *                  ▲                           │
 *                  └──── others are missing ◀──┘
 *
 * A record that announces is looked at once more after the commit. A reference that became known before that look is
 * seen by it; one that becomes known later finds the announcement. So no wake is lost, and nobody has to lock the
 * other's row.
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

/** The errors of a record whose references did not become known in time. */
export function missingReasons(missing: readonly NamedReference[], language: Language): FieldReason[] {
  return missing.map(({ field, externalReference }) => ({
    field,
    code: 'REFERENCE_MISSING',
    message: reasonText('REFERENCE_MISSING', language, given(externalReference, language)),
    hint: externalReference,
  }));
}

/** What a record waits for, from the JSON text of its progress; null where it does not. */
export function waitingFromText(text: string | null): Waiting | null {
  if (text === null) return null;
  const value = parseWithDigits(text);
  const waiting = isPlainRecord(value) ? value['waiting'] : undefined;
  return isPlainRecord(waiting) ? (waiting as unknown as Waiting) : null;
}

export function waitingToText(waiting: Waiting): string {
  return JSON.stringify({ waiting });
}

/** The progress of a record that is not ready yet, and why the next call for it could not be made. */
export function blockedToText(waiting: Waiting | null, blocked: string): string {
  return JSON.stringify({ ...(waiting !== null && { waiting }), blocked });
}

/** One text for each reference of a tenant. */
export function referenceText({ kind, externalReference }: AwaitedReference): string {
  return `${kind}/${externalReference}`;
}

function sameReferences(one: readonly AwaitedReference[], other: readonly AwaitedReference[]): boolean {
  const texts = new Set(one.map(referenceText));
  return one.length === other.length && other.every((reference) => texts.has(referenceText(reference)));
}
