import { translateProductNames } from '@gondola/shared/catalog/name-translation';
import { laterEndAt } from '@gondola/shared/commands/late-calls';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { FieldReason, Reason } from '@gondola/shared/outcomes/reason-codes';
import {
  afterApplying,
  afterDoubt,
  type AppliedProduct,
  type Effect,
  NOTHING_APPLIED,
  skuReferences,
} from './applied-product.ts';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import { highest } from '../records/read-record.ts';
import { pastOperations, type RecordAttempt } from '../records/record-attempts.ts';

/** Stored state of a product between two records. */
export interface KnownProduct {
  /** True once a read found the product in the shop, or a record entered it, until a read finds it gone. */
  readonly exists: boolean;
  /** True once a record was, or may have been, applied: the shop may have the product, whatever a read finds. */
  readonly mayExist: boolean;
  /** SKUs of the shop, as last read. */
  readonly skus: readonly string[];
  readonly applied: AppliedProduct;
  /** True from a deletion on, until the product is active again. */
  readonly deleted: boolean;
  /**
   * True while it is in doubt whether the record entered that brings a deleted product back: a whole record says again
   * that it is active. Absent in states of earlier releases.
   */
  readonly returning?: boolean;
  /** Category and name of the shop, as last read, by input name. */
  readonly read: JsonRecord;
  /** The highest `sourceVersion` received; decimal text, null before the first. */
  readonly sourceVersion: string | null;
  /** End of the newest call of a concluded record whose answer was lost, RFC 3339; null for none. */
  readonly lostCallEndAt: string | null;
  /** Operations of concluded records, newest last. */
  readonly pastOperationIds: readonly string[];
  /** Records concluded as `unconfirmed`, newest last: a late report corrects each once. */
  readonly unconfirmed: readonly UnconfirmedRecord[];
  /** Set while the SKUs may differ from their published state; null if they do not. */
  readonly snapshot: DueSnapshot | null;
  /** Outcome of the last record, for operators only; null before the first. */
  readonly lastEnd: RecordOutcome | null;
}

/** A record concluded as `unconfirmed`, stored until a late report of the platform corrects it. */
export interface UnconfirmedRecord {
  readonly commandId: string;
  readonly command: string;
  /** `id` of its result. */
  readonly resultId: string;
  readonly body: JsonRecord;
  readonly calls: readonly RecordAttempt[];
  readonly operationIds: readonly string[];
  /** RFC 3339. */
  readonly receivedAt: string;
  readonly attempts: number;
  readonly traceparent: string;
  /** True if a later record has changed the product. */
  readonly overtaken: boolean;
}

/** Late outcome of an `unconfirmed` record. */
export interface Correction {
  readonly record: UnconfirmedRecord;
  readonly concluded: { readonly conclusion: Conclusion; readonly effect: Effect };
}

/** Outcome of a record as in its result. */
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

/** An outcome as it is stored for operators. */
export function recordOutcome(end: RecordOutcome): RecordOutcome {
  const { commandId, command, outcome, reason, errors, finishedAt } = end;
  return { commandId, command, outcome, reason, errors: errors.slice(0, SHOWN_ERRORS), finishedAt };
}

/** A product whose SKUs are to be read and published. */
export interface DueSnapshot {
  /** The record that caused it; absent if an operator adopts the shop's state. */
  readonly commandId?: string;
  readonly traceparent: string;
  /** Reads without a result. */
  readonly tries: number;
}

export const UNKNOWN_PRODUCT: KnownProduct = {
  exists: false,
  mayExist: false,
  skus: [],
  applied: NOTHING_APPLIED,
  deleted: false,
  returning: false,
  read: {},
  sourceVersion: null,
  lostCallEndAt: null,
  pastOperationIds: [],
  unconfirmed: [],
  snapshot: null,
  lastEnd: null,
};

/** Fields of a product from which its SKUs get values (rule 23). */
const READ_FIELDS: ReadonlySet<string> = new Set(['categoryExternalReference', 'name']);
const REMEMBERED_UNCONFIRMED = 3;
/** The `op` of a deletion, also of a tombstone. */
const DELETE = 'delete';

/** The state after the product was read; `readModel` is null if the shop has no such product. */
export function afterReading(known: KnownProduct, readModel: JsonRecord | null): KnownProduct {
  if (readModel === null) return { ...known, exists: false, read: {} };
  const { record } = translateProductNames(readModel);
  const read = Object.entries(record).filter(([field]) => READ_FIELDS.has(field));
  const skus = union(known.skus, skuReferences(readModel));
  return { ...known, exists: true, skus, read: Object.fromEntries(read) };
}

/** Values of the product in the shop: those last applied, else those last read. */
export function knownValues({ applied, read }: KnownProduct): JsonRecord {
  return { ...read, ...applied.product };
}

/** The state of an adopted product: its SKUs are due to be published. */
export function afterAdoption(known: KnownProduct, traceparent: string): KnownProduct {
  return known.snapshot === null ? { ...known, snapshot: { traceparent, tries: 0 } } : known;
}

/** The state after a record's outcome. */
export function afterRecord(
  known: KnownProduct,
  ended: {
    readonly effect: Effect;
    readonly sourceVersion: string | null;
    readonly operationIds: readonly string[];
    /** End of its newest call whose answer was lost, in milliseconds since 1970; null for none. */
    readonly lostCallEndMs: number | null;
    /** The record, if it is `unconfirmed` and a late report can be matched to it. */
    readonly unconfirmed: UnconfirmedRecord | null;
    readonly commandId: string;
    readonly command: string;
    readonly traceparent: string;
    readonly lastEnd: RecordOutcome;
  },
): KnownProduct {
  const { effect, operationIds, lostCallEndMs, sourceVersion, unconfirmed, lastEnd } = ended;
  const before = effect.kind === 'none' ? known.unconfirmed : known.unconfirmed.map(overtaken);
  const changed =
    lastEnd.outcome === 'unchanged' ? afterUnchanged(known, ended.command) : withEffect(known, effect, ended);
  return {
    ...changed,
    sourceVersion: highest(known.sourceVersion, sourceVersion),
    lastEnd,
    lostCallEndAt: laterEndAt(known.lostCallEndAt, lostCallEndMs),
    pastOperationIds: pastOperations(known.pastOperationIds, operationIds),
    unconfirmed: [...before, ...(unconfirmed === null ? [] : [unconfirmed])].slice(-REMEMBERED_UNCONFIRMED),
  };
}

/** The state after corrections were published. */
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
 * The state after the SKUs were published: `seen` are in the shop, `gone` are not, and their applied values are
 * forgotten.
 */
export function afterPublishing(known: KnownProduct, seen: readonly string[], gone: readonly string[]): KnownProduct {
  const skus = Object.entries(known.applied.skus).filter(([reference]) => !gone.includes(reference));
  return {
    ...known,
    skus: union(known.skus, seen).filter((reference) => !gone.includes(reference)),
    applied: { ...known.applied, skus: Object.fromEntries(skus) },
  };
}

/** Spread over some hours by the growing pauses between them. */
const MAX_SNAPSHOT_TRIES = 24;

/** The state after a failed or incomplete read of the SKUs. After the last try only a new record publishes them. */
export function afterFailedSnapshot(known: KnownProduct): KnownProduct {
  const { snapshot } = known;
  if (snapshot === null || snapshot.tries + 1 >= MAX_SNAPSHOT_TRIES) return { ...known, snapshot: null };
  return { ...known, snapshot: { ...snapshot, tries: snapshot.tries + 1 } };
}

/** The state after a record that changed nothing: a product that was not active may be deleted from now on. */
export function afterUnchanged(known: KnownProduct, command: string): KnownProduct {
  return command === DELETE && known.exists ? { ...known, deleted: true } : known;
}

/** True of a product that was deleted, unless a record that brings it back is known to have entered. */
export function mayBeDeleted({ deleted, returning = false }: KnownProduct): boolean {
  return deleted || returning;
}

/** The state after a record's effect on the platform's product. */
export function withEffect(
  known: KnownProduct,
  effect: Effect,
  by: { readonly commandId: string; readonly command: string; readonly traceparent: string },
): KnownProduct {
  if (effect.kind === 'none') return known;
  const { active = null } = effect.body;
  const deleted = by.command === DELETE || (known.deleted && active !== true);
  const stillReturns = active === null && known.returning === true;
  if (effect.kind === 'in-doubt') {
    const returning = active === true ? mayBeDeleted(known) : stillReturns;
    return { ...known, mayExist: true, deleted, returning, applied: afterDoubt(known.applied, effect.body) };
  }
  const applied = afterApplying(known.applied, effect.body, effect.skus);
  const snapshot = { commandId: by.commandId, traceparent: by.traceparent, tries: 0 };
  const skus = union(known.skus, Object.keys(applied.skus));
  return { ...known, exists: true, mayExist: true, deleted, returning: stillReturns, skus, applied, snapshot };
}

function overtaken(record: UnconfirmedRecord): UnconfirmedRecord {
  return { ...record, overtaken: true };
}

function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])];
}
