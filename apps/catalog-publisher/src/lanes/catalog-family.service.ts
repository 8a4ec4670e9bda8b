import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import type { OpenCommand } from '@gondola/messaging/commands/commands';
import type { LaneStep, LateOutcome } from '@gondola/messaging/commands/step-outcome';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import type { Tx } from '@gondola/service-kit/database/database';
import type { AwaitedReference, Result, ResultEntity } from '@gondola/shared/results/result';
import type { Waiting } from '../waiting/awaiting.ts';
import type { CatalogKind } from '../records/catalog-kinds.ts';
import type { RecordProgress } from '../records/record-attempts.ts';
import { storedText } from '../records/stored-text.ts';
import type { RecordEnd, RecordPlan } from '../records/record-plan.ts';
import type { BatchRoute } from '../platform/platform.adapter.ts';
import type { CatalogTenant } from './catalog-tenants.service.ts';

/** A lane of a step with its oldest open record; null for none. */
export interface LaneHead {
  readonly lane: ClaimedLane;
  readonly command: OpenCommand | null;
  /** The wait in the record's last `waiting` result. */
  readonly waiting: Waiting | null;
  /**
   * Time up to which notifications are stored, in milliseconds since 1970; null while unknown. Known before the
   * reports are loaded, so that these include all notifications before that time.
   */
  readonly consumedUpToMs: number | null;
}

/** One lane of any kind in a step. */
export interface LaneWork extends LaneHead {
  /** Late outcomes of concluded records. */
  readonly corrected: readonly LateOutcome[];
  /** Plan for the records beside the head, for kinds whose records do not wait for each other. */
  readonly beside?: BesideHead;
}

/** Plan for the open records of a lane beside its head, made when the lane is loaded. */
export interface BesideHead {
  readonly outcomes: LaneStep['commands'];
  /** Milliseconds until one of them is due again; null for none. */
  readonly dueInMs: number | null;
}

/** A lane with an open record. */
export type Open<W extends LaneWork> = W & { readonly command: OpenCommand };

/** Result of a lane's step, ready to save. */
export type RecordStep<W extends LaneWork, P extends RecordProgress, F> =
  /** No record is open. */
  | { readonly kind: 'idle'; readonly work: W; readonly dueInMs: number | null }
  | { readonly kind: 'concluded'; readonly work: W; readonly end: RecordEnd<P, F> }
  /** The record waits for references; the step publishes a `waiting` result. */
  | { readonly kind: 'announces'; readonly work: W; readonly waiting: Waiting }
  | WaitingStep<W>;

export interface WaitingStep<W extends LaneWork> {
  readonly kind: 'waits';
  readonly work: W;
  /** JSON text; null if unchanged. */
  readonly progress: string | null;
  readonly ms: number;
  /** True if the last attempt has not reached the platform's queue. */
  readonly takenBack: boolean;
}

/** Result of a lane's step, or the call that it makes first. */
export type PlannedStep<W extends LaneWork, P extends RecordProgress, F> =
  | RecordStep<W, P, F>
  | { readonly kind: 'send'; readonly work: Open<W>; readonly progress: P }
  | { readonly kind: 'read'; readonly work: Open<W>; readonly progress: P | null; readonly final: boolean };

/** A lane with a record to send. */
export interface Outgoing<W extends LaneWork, P extends RecordProgress> {
  readonly work: Open<W>;
  readonly progress: P;
}

/** A saved lane; `end` and `result` are set if its record was concluded in this step. */
export interface SavedLane<W extends LaneWork, P extends RecordProgress, F> {
  readonly work: W;
  readonly ended: { readonly end: RecordEnd<P, F>; readonly result: Result } | null;
  /** Final results of this step by the command's `id`, also of records beside the head. */
  readonly results: ReadonlyMap<string, Result>;
  /** True if no open record can receive reports. */
  readonly isQuiet: boolean;
}

/**
 * Strategy for the records of one kind of entity; `PublishRecords` does the rest. `W` is the input of a step, `P` the
 * stored progress of a record, `F` the effect of a concluded record on its entity.
 */
export interface CatalogFamily<W extends LaneWork, P extends RecordProgress, F> {
  readonly kind: CatalogKind;
  /** Its calls pass before those that wait for a slot and are not urgent. */
  readonly isUrgent: boolean;
  /** Loads the input of a step: the state of the entities, and the stored reports. */
  load(tenant: CatalogTenant, heads: readonly LaneHead[]): Promise<W[]>;
  /** Plans the next action of records; prepares new ones first. */
  plan(tenant: CatalogTenant, works: readonly Open<W>[]): Promise<PlannedStep<W, P, F>[]>;
  /** Route of a record; records of one route share batches. */
  routeOf(progress: P): BatchRoute;
  /** JSON text of a record's item in its batch. */
  itemText(progress: P): string;
  /** True if only its own operation relates a report to the record, so that no other record may share the call. */
  goesAlone(progress: P): boolean;
  /** Entity of a lane's results. */
  entityOf(identity: string): ResultEntity;
  /** Id of the newest report at the time of loading. */
  seenReportId(work: W): string;
  /** Stored form of the progress of a record that cannot be sent yet, with the cause. */
  blockedText(record: { readonly work: Open<W>; readonly progress: P | null }, cause: string): string;
  readonly entities: FamilyEntities<W, P, F>;
  /** Reads for lanes before the batch is posted; null for a kind that cannot be read. */
  readonly reader: FamilyReader<W, P, F> | null;
  /** Entities of the kind that other records wait for (rule 24); null for none. */
  readonly awaited: FamilyAwaited<W, P, F> | null;
}

/** Storage of a family's entities. */
export interface FamilyEntities<W extends LaneWork, P extends RecordProgress, F> {
  /**
   * Claims the entities of the records in the transaction that stores their attempts; returns the records whose claim
   * was granted.
   */
  claim(tx: Tx, tenant: CatalogTenant, outgoing: readonly Outgoing<W, P>[]): Promise<readonly Outgoing<W, P>[]>;
  /** Pause after a claim that was not granted, in milliseconds. */
  unclaimedMs(tenant: CatalogTenant): number;
  /**
   * Saves the state of the lanes' entities in the transaction that returns the lanes; returns the records to publish
   * beside the results.
   */
  save(tx: Tx, tenant: CatalogTenant, saved: readonly SavedLane<W, P, F>[]): Promise<readonly OutRecord[]>;
}

export interface FamilyReader<W extends LaneWork, P extends RecordProgress, F> {
  isToBeRead(planned: PlannedStep<W, P, F>): boolean;
  /** Calls the platform and plans from the read. */
  read(tenant: CatalogTenant, planned: PlannedStep<W, P, F>, signal: AbortSignal): Promise<PlannedStep<W, P, F>>;
}

export interface FamilyAwaited<W extends LaneWork, P extends RecordProgress, F> {
  /** Kind by which records name them. */
  readonly kind: AwaitedReference['kind'];
  /** References that a step made known. */
  madeKnownBy(step: RecordStep<W, P, F>): readonly string[];
  /** References that a lane's last record made known, in case the process ended before it woke the waiting lanes. */
  lastMadeKnown(work: W): readonly string[];
}

/** A family of any types. */
export type AnyFamily = CatalogFamily<LaneWork, RecordProgress, unknown>;

/** Tenant of a step, and the signal until which it may call. */
export interface StepRun {
  readonly family: AnyFamily;
  readonly tenant: CatalogTenant;
  readonly signal: AbortSignal;
}

export function waits<W extends LaneWork>(
  work: W,
  progress: string | null,
  ms: number,
  takenBack = false,
): WaitingStep<W> {
  return { kind: 'waits', work, progress, ms, takenBack };
}

/** Turns a plan into a step; `ask` checks the consumer lag up to a time and returns the milliseconds until a retry. */
export function plannedStep<W extends LaneWork, P extends RecordProgress, F>(
  work: Open<W>,
  plan: RecordPlan<P, F>,
  ask: (untilMs: number) => number,
): PlannedStep<W, P, F> {
  if (plan.kind === 'conclude') return { kind: 'concluded', work, end: plan.end };
  if (plan.kind === 'announce') return { kind: 'announces', work, waiting: plan.waiting };
  if (plan.kind === 'send' || plan.kind === 'read') return { ...plan, work };
  const text = plan.progress === null ? null : storedText(plan.progress);
  return waits(work, text, plan.kind === 'wait' ? plan.ms : ask(plan.untilMs));
}

/**
 * Step after a call: stores its answer and the next due time. Everything else follows in another
 * step: a step saves or calls, never both.
 */
export function afterCall<W extends LaneWork>(planned: PlannedStep<W, RecordProgress, unknown>): WaitingStep<W> {
  if (planned.kind === 'waits') return planned;
  const { work } = planned;
  return waits(work, work.command?.progress ?? null, 0);
}

/** The next call is made by another step. */
export function later<W extends LaneWork, P extends RecordProgress, F>(
  planned: PlannedStep<W, P, F>,
): RecordStep<W, P, F> {
  if (planned.kind !== 'send' && planned.kind !== 'read') return planned;
  const { work, progress } = planned;
  return waits(work, progress === null ? null : storedText(progress), 0);
}

export function isOpen<W extends LaneWork>(work: W): work is Open<W> {
  return work.command !== null;
}

/** Lengthens a pause by up to half, so that lanes that failed together do not return together. */
export function jittered(ms: number): number {
  return ms * (1 + Math.random() / 2);
}
