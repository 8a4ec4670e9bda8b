import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { FinalOutcome } from '@gondola/shared/results/outcomes';
import type { FieldReason, Reason } from '@gondola/shared/results/reason-codes';
import {
  afterApplying,
  afterDoubt,
  type AppliedProduct,
  type Effect,
  NOTHING_APPLIED,
  skuReferences,
} from './applied-product.ts';
import type { Correction, UnconfirmedRecord } from '../products/product-corrections.ts';

/** What is known of a product between two records. */
export interface KnownProduct {
  /** The shop was seen to have it. What it was seen to lack may have come since, so that is not remembered. */
  readonly exists: boolean;
  /** The SKUs that the shop was seen to have. */
  readonly skus: readonly string[];
  readonly applied: AppliedProduct;
  /** The highest `sourceVersion` that came; decimal text, null before the first. */
  readonly sourceVersion: string | null;
  /** Operations of records that ended, newest last. */
  readonly pastOperationIds: readonly string[];
  /** Records that ended `unconfirmed`, newest last: a late report corrects them, once. */
  readonly unconfirmed: readonly UnconfirmedRecord[];
  /** Its SKUs may have to be published anew; null: they are as published. */
  readonly snapshot: DueSnapshot | null;
  /** How the last record ended; null before the first. Shown to operators, decides nothing. */
  readonly lastEnd: RecordOutcome | null;
}

/** How a record ended, as its result says. */
export interface RecordOutcome {
  readonly commandId: string;
  readonly command: string;
  readonly outcome: FinalOutcome;
  readonly reason: Reason | null;
  /** The first ones. */
  readonly errors: readonly FieldReason[];
  /** RFC 3339. */
  readonly finishedAt: string;
}

const SHOWN_ERRORS = 10;

/** An end as it is remembered for operators. */
export function recordOutcome(end: RecordOutcome): RecordOutcome {
  const { commandId, command, outcome, reason, errors, finishedAt } = end;
  return { commandId, command, outcome, reason, errors: errors.slice(0, SHOWN_ERRORS), finishedAt };
}

/** A product's SKUs have to be read and published. */
export interface DueSnapshot {
  /** The record that brought it about; absent: an operator adopts what the shop has. */
  readonly commandId?: string;
  readonly traceparent: string;
  /** Readings that gave nothing. */
  readonly tries: number;
}

export const UNKNOWN_PRODUCT: KnownProduct = {
  exists: false,
  skus: [],
  applied: NOTHING_APPLIED,
  sourceVersion: null,
  pastOperationIds: [],
  unconfirmed: [],
  snapshot: null,
  lastEnd: null,
};

/** More than the attempts of the records of the last days; a report later than that is nobody's. */
const REMEMBERED_OPERATIONS = 20;
const REMEMBERED_UNCONFIRMED = 3;

/** The knowledge after the product was read; null: the shop has no such product. */
export function afterReading(known: KnownProduct, readModel: JsonRecord | null): KnownProduct {
  if (readModel === null) return { ...known, exists: false };
  return { ...known, exists: true, skus: union(known.skus, skuReferences(readModel)) };
}

/** The knowledge of a product that is adopted: its SKUs are due, if they are not already. */
export function afterAdoption(known: KnownProduct, traceparent: string): KnownProduct {
  return known.snapshot === null ? { ...known, snapshot: { traceparent, tries: 0 } } : known;
}

/** The knowledge after a record ended. */
export function afterRecord(
  known: KnownProduct,
  ended: {
    readonly effect: Effect;
    readonly sourceVersion: string | null;
    readonly operationIds: readonly string[];
    /** The record itself, where it ended `unconfirmed` and a late report can be recognised as its own. */
    readonly unconfirmed: UnconfirmedRecord | null;
    readonly commandId: string;
    readonly traceparent: string;
    readonly lastEnd: RecordOutcome;
  },
): KnownProduct {
  const { effect, operationIds, sourceVersion, unconfirmed, lastEnd } = ended;
  const before = effect.kind === 'none' ? known.unconfirmed : known.unconfirmed.map(overtaken);
  return {
    ...withEffect(known, effect, ended),
    sourceVersion: sourceVersion ?? known.sourceVersion,
    lastEnd,
    pastOperationIds: [...known.pastOperationIds, ...operationIds].slice(-REMEMBERED_OPERATIONS),
    unconfirmed: [...before, ...(unconfirmed === null ? [] : [unconfirmed])].slice(-REMEMBERED_UNCONFIRMED),
  };
}

/** The knowledge after late outcomes were published. */
export function afterCorrections(known: KnownProduct, corrections: readonly Correction[]): KnownProduct {
  if (corrections.length === 0) return known;
  const corrected = new Set(corrections.map(({ record }) => record));
  const changed = corrections.reduce(
    (before, { concluded, record }) => withEffect(before, concluded.effect, record),
    known,
  );
  const unconfirmed = known.unconfirmed.filter((record) => !corrected.has(record));
  return { ...changed, unconfirmed, lastEnd: correctedEnd(known.lastEnd, corrections) };
}

function correctedEnd(end: RecordOutcome | null, corrections: readonly Correction[]): RecordOutcome | null {
  const late = corrections.find(({ record }) => record.commandId === end?.commandId);
  if (end === null || late === undefined) return end;
  const { outcome, reason, errors } = late.concluded.conclusion;
  return recordOutcome({ ...end, outcome, reason, errors });
}

/**
 * The knowledge after its SKUs were published: those that are there, and those that are gone, of which nothing is
 * applied any more.
 */
export function afterPublishing(known: KnownProduct, seen: readonly string[], gone: readonly string[]): KnownProduct {
  const skus = Object.entries(known.applied.skus).filter(([reference]) => !gone.includes(reference));
  return {
    ...known,
    skus: union(known.skus, seen).filter((reference) => !gone.includes(reference)),
    applied: { ...known.applied, skus: Object.fromEntries(skus) },
  };
}

/** Some hours, by the pauses between them. */
const MAX_SNAPSHOT_TRIES = 24;

/** The knowledge after its SKUs could not be read, or not all. In the end another record has to bring it about. */
export function afterFailedSnapshot(known: KnownProduct): KnownProduct {
  const { snapshot } = known;
  if (snapshot === null || snapshot.tries + 1 >= MAX_SNAPSHOT_TRIES) return { ...known, snapshot: null };
  return { ...known, snapshot: { ...snapshot, tries: snapshot.tries + 1 } };
}

function withEffect(
  known: KnownProduct,
  effect: Effect,
  by: { readonly commandId: string; readonly traceparent: string },
): KnownProduct {
  if (effect.kind === 'none') return known;
  if (effect.kind === 'in-doubt') return { ...known, applied: afterDoubt(known.applied, effect.body) };
  const applied = afterApplying(known.applied, effect.body, effect.skus);
  const snapshot = { commandId: by.commandId, traceparent: by.traceparent, tries: 0 };
  return { ...known, exists: true, skus: union(known.skus, Object.keys(applied.skus)), applied, snapshot };
}

function overtaken(record: UnconfirmedRecord): UnconfirmedRecord {
  return { ...record, overtaken: true };
}

function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])];
}
