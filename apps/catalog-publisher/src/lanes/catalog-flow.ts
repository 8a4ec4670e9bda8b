import type { OutRecord } from '@gondola/kafka/records/record-codec';
import type { OpenCommand } from '@gondola/lanes/commands/commands';
import type { LaneStep, LateOutcome, StepOutcome } from '@gondola/lanes/commands/step-outcome';
import type { SavedStep } from '@gondola/lanes/commands/step-saver';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import type { Tx } from '@gondola/service-kit/database/database';
import type { AwaitedReference, ResultEntity } from '@gondola/shared/results/result';
import type { BatchRoute } from '@gondola/platform-client/routes';
import type { CatalogKind } from '../records/catalog-kinds.ts';
import type { RecordProgress } from '../records/record-attempts.ts';
import type { RecordEnd, RecordPlan } from '../records/record-plan.ts';
import { RESEND } from '../records/resend.ts';
import { storedText } from '../records/stored-text.ts';
import type { Waiting } from '../waiting/awaiting.ts';
import { overtakenFromText, overtakenToText } from '../waiting/overtaking.ts';
import type { CatalogTenant } from './catalog-tenants.service.ts';

/** A claimed lane as its flow has loaded it. */
export interface CatalogLane {
  readonly lane: ClaimedLane;
  /** The open record that the step is about; null for none. */
  readonly command: OpenCommand | null;
  /** Progress of the record; null before it is prepared. */
  readonly progress: RecordProgress | null;
  /** References for which other open records of the lane wait; absent for none. */
  readonly alsoAwaited?: readonly AwaitedReference[];
  /** Late outcomes of concluded records. */
  readonly corrected: readonly LateOutcome[];
  /** Milliseconds until the lane is due, whatever becomes of the record; null for none. */
  readonly ownDueInMs: number | null;
}

/** A lane with a record to send. */
export type Sending<S extends CatalogLane> = S & {
  readonly command: OpenCommand;
  readonly progress: NonNullable<S['progress']>;
};

/** The end of a lane's step: what it saves. */
export interface Save<S extends CatalogLane> extends LaneStep {
  readonly kind: 'save';
  readonly state: S;
  /** Set if the record begins to wait for these references. */
  readonly announced?: Waiting;
  /** True if the counts of the platform's report about the record do not add up (rule 26). */
  readonly isAnomaly?: boolean;
}

/** Next action of a lane: a step saves, or it calls and saves the answer. */
export type Planned<S extends CatalogLane> =
  | Save<S>
  | { readonly kind: 'send'; readonly state: Sending<S> }
  | Reading<S>;

/** A read of the lane's entity. */
export interface Reading<S extends CatalogLane> {
  readonly kind: 'read';
  readonly state: S;
  /** Next action after a read that is not for the record; null for a read for the record. */
  readonly before: Planned<S> | null;
  /** True if this read decides the outcome of the record. */
  readonly final: boolean;
}

/**
 * Way of working for the records of one kind of entity; `PublishRecords` runs it:
 *
 *   plan ──▶ read ──▶ hold ──▶ batches of a route, each record as its text ──▶ lookInMs ──▶ save
 */
export interface CatalogFlow<S extends CatalogLane> {
  readonly kind: CatalogKind;
  /** Its calls pass before those that wait for a slot and are not urgent. */
  readonly isUrgent: boolean;
  /** Entities of the kind that other records wait for (rule 24); null for none. */
  readonly awaited: Awaited<S> | null;
  /** Loads lanes, prepares new records, and plans the next action of each. */
  plan(tenant: CatalogTenant, lanes: readonly ClaimedLane[]): Promise<readonly Planned<S>[]>;
  /** Calls the platform and plans from what was read. Null for a kind that cannot be read. */
  readonly read: ((tenant: CatalogTenant, reading: Reading<S>, signal: AbortSignal) => Promise<Planned<S>>) | null;
  /** Route of a record; records of one route share batches. */
  routeOf(state: Sending<S>): BatchRoute;
  /** JSON text of a record's item in its batch. */
  itemText(progress: NonNullable<S['progress']>): string;
  /** True if only its own operation relates a report to the record, so that no other record may share the call. */
  goesAlone(progress: NonNullable<S['progress']>): boolean;
  /** Id of the newest report at the time of loading. */
  seenReportId(state: S): string;
  /** Stored form of the progress of a record that cannot be sent yet, with the cause. */
  blockedText(state: S, cause: string): string;
  /**
   * Holds the entities of records in the transaction that stores their attempts; returns the records that may be sent.
   * Null for a kind that shares nothing with other lanes.
   */
  readonly hold:
    | ((tx: Tx, tenant: CatalogTenant, sending: readonly Sending<S>[]) => Promise<readonly Sending<S>[]>)
    | null;
  /** Pause of a record that may not be sent, in milliseconds. */
  unheldMs(tenant: CatalogTenant): number;
  /** Milliseconds until a record is looked at again whose call was answered. */
  lookInMs(tenant: CatalogTenant, state: Sending<S>): number;
  /** Entity of a lane's results; of one about a record, if it is given. */
  entityOf(identity: string, record?: Pick<OpenCommand, 'value'>): ResultEntity;
  /**
   * Saves the state of the lanes' entities in the transaction that returns the lanes; returns the records to publish
   * beside the results.
   */
  save(tx: Tx, tenant: CatalogTenant, saved: readonly SavedStep<Save<S>>[]): Promise<readonly OutRecord[]>;
}

interface Awaited<S extends CatalogLane> {
  /** Kind by which records name them. */
  readonly kind: AwaitedReference['kind'];
  /** References that a saved step made known. */
  madeKnownBy(state: S): readonly string[];
  /** References that a lane's last record made known, in case the process ended before it woke the waiting lanes. */
  lastMadeKnown(state: S): readonly string[];
}

/** A flow in a step, with the signal until which it may call. */
export interface StepRun<S extends CatalogLane> {
  readonly flow: CatalogFlow<S>;
  readonly tenant: CatalogTenant;
  readonly signal: AbortSignal;
}

/**
 * Step that saves outcomes of records.
 *
 * @param dueInMs null: the lane is not due before it is woken
 */
export function saves<S extends CatalogLane>(
  state: S,
  commands: LaneStep['commands'],
  dueInMs: number | null,
): Save<S> {
  const corrections = state.corrected.filter((late) => late.command !== RESEND);
  const dues = [dueInMs, state.ownDueInMs].filter((ms) => ms !== null);
  const due = dues.length === 0 ? null : Math.min(...dues);
  return { kind: 'save', state, lane: state.lane, commands, corrections, dueInMs: due };
}

/** Step with an outcome of its record. */
export function ends<S extends CatalogLane>(state: S, outcome: StepOutcome, dueInMs: number): Save<S> {
  const { command } = state;
  return saves(state, command === null ? [] : [{ command, outcome }], dueInMs);
}

/** @param progress JSON text; null if unchanged */
export function waits<S extends CatalogLane>(state: S, progress: string | null, dueInMs: number): Save<S> {
  return ends(state, { kind: 'wait', progress }, dueInMs);
}

/**
 * Step whose record begins to wait for references; it publishes a `waiting` result. The record is checked once more
 * after the commit: see `decideAwaiting`.
 */
export function announces<S extends CatalogLane>(state: S, waiting: Waiting): Save<S> {
  const { for: awaited, announced: count } = waiting;
  const awaits = { for: awaited, count };
  return { ...ends(state, { kind: 'wait', progress: waitingText(state, waiting), awaits }, 0), announced: waiting };
}

/** Progress of a record that begins to wait; what later records have set meanwhile stays. */
function waitingText({ command }: CatalogLane, waiting: Waiting): string {
  return overtakenToText({ ...overtakenFromText(command?.progress ?? null), waiting });
}

/** A lane whose record ends with an effect `F` on its entity. */
interface EndingLane<P extends RecordProgress, F> extends CatalogLane {
  readonly progress: P | null;
  readonly end: RecordEnd<P, F> | null;
}

/** The next action of a lane by its record's plan; `ask` checks the consumer lag up to a time and returns the pause. */
export function plannedStep<P extends RecordProgress, F, S extends EndingLane<P, F>>(
  state: S,
  plan: RecordPlan<P, F>,
  ask: (untilMs: number) => number,
): Planned<S> {
  if (plan.kind === 'conclude') {
    const { conclusion, operationIds, warnings, anomaly } = plan.end;
    const outcome = { kind: 'concluded', conclusion: { ...conclusion, warnings }, operationIds } as const;
    return { ...ends<S>({ ...state, end: plan.end }, outcome, 0), isAnomaly: anomaly };
  }
  if (plan.kind === 'announce') return announces(state, plan.waiting);
  if (plan.kind === 'send') return { kind: 'send', state: { ...state, progress: plan.progress } as Sending<S> };
  if (plan.kind === 'read') return { kind: 'read', state, before: null, final: plan.final };
  const text = plan.progress === null ? null : storedText(plan.progress);
  return waits(state, text, plan.kind === 'wait' ? plan.ms : ask(plan.untilMs));
}

/** The next call is made by another step. */
export function later<S extends CatalogLane>(planned: Planned<S>): Save<S> {
  if (planned.kind === 'save') return planned;
  const { progress } = planned.state;
  return waits(planned.state, progress === null ? null : storedText(progress), 0);
}

/** Lengthens a pause by up to half, so that lanes that failed together do not return together. */
export function jittered(ms: number): number {
  return ms * (1 + Math.random() / 2);
}
