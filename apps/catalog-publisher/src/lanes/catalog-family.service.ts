import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import type { OpenCommand } from '@gondola/messaging/commands/commands';
import type { LaneStep, LateOutcome } from '@gondola/messaging/commands/step-outcome';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import type { Tx } from '@gondola/service-kit/database/database';
import type { AwaitedReference, Result, ResultEntity } from '@gondola/shared/results/result';
import type { Waiting } from '../waiting/awaiting.ts';
import type { CatalogKind } from '../records/catalog-kinds.ts';
import type { RecordProgress } from '../records/record-attempts.ts';
import type { RecordEnd } from '../records/record-plan.ts';
import type { BatchRoute } from '../platform/platform.adapter.ts';
import type { CatalogTenant } from './catalog-tenants.service.ts';

/** A lane of a step, and its oldest open record; null: none is open. */
export interface LaneHead {
  readonly lane: ClaimedLane;
  readonly command: OpenCommand | null;
  /** What the last `waiting` result of the record names. */
  readonly waiting: Waiting | null;
}

/** One lane in a step, of whatever kind. */
export interface LaneWork extends LaneHead {
  /** Late outcomes of records that had ended. */
  readonly corrected: readonly LateOutcome[];
  /** Where records of one lane need not wait for each other. */
  readonly beside?: BesideHead;
}

/** What a step comes to for the open records of a lane beside its head, known as soon as it is loaded. */
export interface BesideHead {
  readonly outcomes: LaneStep['commands'];
  /** When one of them is looked at again; null: none is. */
  readonly dueInMs: number | null;
}

/** A lane with an open record. */
export type Open<W extends LaneWork> = W & { readonly command: OpenCommand };

/** What a lane's step comes to, to be saved. */
export type RecordStep<W extends LaneWork, P extends RecordProgress, F> =
  /** No record is open. */
  | { readonly kind: 'idle'; readonly work: W; readonly dueInMs: number | null }
  | { readonly kind: 'concluded'; readonly work: W; readonly end: RecordEnd<P, F> }
  /** The record waits for references, and says so. */
  | { readonly kind: 'announces'; readonly work: W; readonly waiting: Waiting }
  | WaitingStep<W>;

export interface WaitingStep<W extends LaneWork> {
  readonly kind: 'waits';
  readonly work: W;
  /** JSON text; null: it stays as it is. */
  readonly progress: string | null;
  readonly ms: number;
  /** The last attempt cannot have reached the platform's queue. */
  readonly takenBack: boolean;
}

/** What a lane's step comes to, or what is called first. */
export type PlannedStep<W extends LaneWork, P extends RecordProgress, F> =
  | RecordStep<W, P, F>
  | { readonly kind: 'send'; readonly work: Open<W>; readonly progress: P }
  | { readonly kind: 'read'; readonly work: Open<W>; readonly progress: P | null; readonly final: boolean };

/** A lane whose record is to be sent. */
export interface Outgoing<W extends LaneWork, P extends RecordProgress> {
  readonly work: Open<W>;
  readonly progress: P;
}

/** A lane that is saved; `end` and `result` where its record ended now. */
export interface SavedLane<W extends LaneWork, P extends RecordProgress, F> {
  readonly work: W;
  readonly ended: { readonly end: RecordEnd<P, F>; readonly result: Result } | null;
  /** By the command's `id`: the final results that were given now, also of records beside the head. */
  readonly results: ReadonlyMap<string, Result>;
  /** No record is open any more that reports could be for. */
  readonly isQuiet: boolean;
}

/**
 * All that is special about the records of one kind of entity; `PublishRecords` does the rest. `W` is what a step looks
 * at, `P` what is stored of a record on its way, `F` what the end of a record does to its entity.
 */
export interface CatalogFamily<W extends LaneWork, P extends RecordProgress, F> {
  readonly kind: CatalogKind;
  /** Its calls pass before those that wait for a slot and are not urgent. */
  readonly isUrgent: boolean;
  /** Reads what a step looks at: what is known of the entities, and the reports that came. */
  load(tenant: CatalogTenant, heads: readonly LaneHead[]): Promise<W[]>;
  /** Decides the next step of records; new ones are prepared first. */
  plan(tenant: CatalogTenant, works: readonly Open<W>[]): Promise<PlannedStep<W, P, F>[]>;
  /** The platform's route that a record goes by; records of one route go in one batch. */
  routeOf(progress: P): BatchRoute;
  /** JSON text of a record's item in its batch. */
  itemText(progress: P): string;
  /** Whether nothing but its own operation leads a report to the record, so that no other may share the call. */
  goesAlone(progress: P): boolean;
  /** The entity of the results of a lane. */
  entityOf(identity: string): ResultEntity;
  /** The newest report that was stored when the lane was loaded. */
  seenReportId(work: W): string;
  /** Progress of a record that cannot be sent yet, with the cause, as it is stored. */
  blockedText(record: { readonly work: Open<W>; readonly progress: P | null }, cause: string): string;
  readonly entities: FamilyEntities<W, P, F>;
  /** Reads for lanes before the batch is posted; null: entities of the kind cannot be read. */
  readonly reader: FamilyReader<W, P, F> | null;
  /** Entities of the kind that records wait for (rule 24); null: none does. */
  readonly awaited: FamilyAwaited<W, P, F> | null;
}

/** Storage of a family's entities. */
export interface FamilyEntities<W extends LaneWork, P extends RecordProgress, F> {
  /**
   * Takes, in the transaction that writes attempts down, what the records need for themselves; gives those that got it.
   */
  claim(tx: Tx, tenant: CatalogTenant, outgoing: readonly Outgoing<W, P>[]): Promise<readonly Outgoing<W, P>[]>;
  /** From a claim that was not granted to the next look, in milliseconds. */
  unclaimedMs(tenant: CatalogTenant): number;
  /**
   * Saves what is known of the entities of lanes, in the transaction that returns them, and gives what is published
   * beside the results.
   */
  save(tx: Tx, tenant: CatalogTenant, saved: readonly SavedLane<W, P, F>[]): Promise<readonly OutRecord[]>;
}

export interface FamilyReader<W extends LaneWork, P extends RecordProgress, F> {
  isToBeRead(planned: PlannedStep<W, P, F>): boolean;
  /** Calls the platform, and gives what follows from what was read. */
  read(tenant: CatalogTenant, planned: PlannedStep<W, P, F>, signal: AbortSignal): Promise<PlannedStep<W, P, F>>;
}

export interface FamilyAwaited<W extends LaneWork, P extends RecordProgress, F> {
  /** By which records name them. */
  readonly kind: AwaitedReference['kind'];
  /** References of the entities that a step made known. */
  madeKnownBy(step: RecordStep<W, P, F>): readonly string[];
  /** The same of a lane's last record, in case the process ended before it had woken who waits. */
  lastMadeKnown(work: W): readonly string[];
}

/** A family whose own types do not matter. */
export type AnyFamily = CatalogFamily<LaneWork, RecordProgress, unknown>;

/** Whose lanes a step is over, and until when it may call. */
export interface StepRun {
  readonly family: AnyFamily;
  readonly tenant: CatalogTenant;
  readonly signal: AbortSignal;
}
