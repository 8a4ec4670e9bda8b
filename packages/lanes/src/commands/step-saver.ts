import { Inject, Injectable } from '@nestjs/common';

import type { Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import {
  correctionResult,
  finalResult,
  type ResultSubject,
  waitingResult,
} from '@gondola/shared/results/command-results';
import type { FieldReason } from '@gondola/shared/outcomes/reason-codes';
import type { Result } from '@gondola/shared/results/result';
import type { TopicName } from '@gondola/shared/topics/topics';

import type { OutRecord, WireRecord } from '@gondola/kafka/records/record-codec';
import { resultRecord, type ResultTopic } from '@gondola/kafka/records/result-record';
import { type ClaimedLane, Lanes, type NextDue, ofLanes } from '../lanes/lanes.ts';
import { OutboxRelay } from '../outbox/outbox-relay.ts';
import { Outbox } from '../outbox/outbox.ts';
import type { StoredRows } from '../outbox/recent-rows.ts';
import { CommandReport, type SavedResult } from './command-report.ts';
import { NewRows } from '../store/new-rows.ts';
import { cameAtOf } from './came-at.ts';
import { Commands, type OpenCommand } from './commands.ts';
import type { LaneStep, LateOutcome, StepOutcome } from './step-outcome.ts';

/** Settings for the results of one kind of lane. */
export interface LaneResults {
  /** Topic of the commands and topic of their results. */
  readonly topics: { readonly commands: TopicName; readonly results: ResultTopic };
  /** The subject of the results of a lane; `command` is null for a correction. */
  readonly aboutOf: (
    lane: ClaimedLane,
    command: OpenCommand | null,
  ) => Pick<ResultSubject, 'entity' | 'parentCommandId'>;
  /**
   * True for commands that only operators requested: their outcomes are saved, but no result is published. Default:
   * none.
   */
  readonly isUnpublished?: (command: OpenCommand) => boolean;
  /** Warnings about a command as written, which its final result has before all others. Default: none. */
  readonly warningsOf?: (command: OpenCommand) => readonly FieldReason[];
}

/** A step that is being saved, with the outcomes that it gave. */
export interface SavedStep<S extends LaneStep> {
  readonly step: S;
  /** Final results by the command's `id`, only of commands that had no outcome before. */
  readonly concluded: ReadonlyMap<string, Result>;
  /** True if a command was concluded of an order that is erased. */
  readonly isErased: boolean;
}

/**
 * Saves further data of the app in the same transaction as the commands; `time` is the time of the results. It adds
 * rows to `rows`, which one statement inserts, or writes itself. Returns records that are published with the results.
 * It may be called again after a failure, and changes nothing except through `tx`.
 */
export type SaveBeside<S extends LaneStep> = (
  tx: Tx,
  saved: readonly SavedStep<S>[],
  time: string,
  rows: NewRows,
) => Promise<readonly OutRecord[]>;

/**
 * Runs first, with the lanes locked, for the steps whose lanes were woken since their claim, and returns those that are
 * still valid. The others of them are not saved; their lanes are due again at once.
 */
export type StepGuard<S extends LaneStep> = (tx: Tx, steps: readonly S[]) => Promise<readonly S[]>;

interface Concluded {
  readonly command: OpenCommand;
  readonly result: Result;
}

/** Writes of a transaction, to be reported and sent once it is committed. */
interface Written<S extends LaneStep> {
  readonly saved: readonly SavedStep<S>[];
  readonly results: readonly SavedResult[];
  readonly published: StoredRows<WireRecord> | null;
}

/**
 * Saves the steps of many lanes in one transaction (mechanisms 2, 3), with one statement per kind of row, and in one
 * statement if only progress and attempts change:
 *
 *   due ─▶ guard ─▶ outcomes (given once) ─▶ progress, attempts ─▶ what the app saves beside ─▶ results, its records
 *                                                                                       └─▶ committed: report, relay
 *
 * Guarantees: an outcome and its result are committed together, and once (guarantee 3). The step of a lane that
 * another worker took over is not saved. Tested in step-saver.int.spec.ts.
 */
@Injectable()
export class StepSaver {
  constructor(
    private readonly lanes: Lanes,
    private readonly commands: Commands,
    private readonly outbox: Outbox,
    @Inject(OutboxRelay) private readonly relay: Pick<OutboxRelay, 'wake' | 'isActive'>,
    @Inject(CommandReport) private readonly report: Pick<CommandReport, 'saved'>,
    private readonly clock: Clock,
  ) {}

  /** Returns the saved steps: those whose lanes were still held and that the guard returned. */
  async save<S extends LaneStep>(
    source: LaneResults,
    steps: readonly S[],
    beside?: SaveBeside<S>,
    guard?: StepGuard<S>,
  ): Promise<readonly SavedStep<S>[]> {
    if (steps.length === 0) return [];
    let written: Written<S> = { saved: [], results: [], published: null };
    const claimed = steps.map(({ lane }) => lane);
    const dueInMs = new Map(steps.map((step) => [step.lane, step.dueInMs]));
    const next: NextDue = (lane) => dueInMs.get(lane) ?? null;
    if (beside === undefined && guard === undefined && steps.every(isProgressOnly)) {
      const changes = steps.flatMap(changesOf);
      await this.lanes.finish(claimed, next, changes.length === 0 ? undefined : this.commands.besideLanes(changes));
      return steps
        .filter(({ lane }) => this.lanes.isFinished(lane))
        .map((step) => ({ step, concluded: new Map(), isErased: false }));
    }
    await this.lanes.finish(claimed, next, async (tx, held, woken) => {
      const mine = ofLanes(steps, held);
      const doubted = guard === undefined ? [] : mine.filter(({ lane }) => woken.has(lane));
      const confirmed = guard === undefined || doubted.length === 0 ? doubted : await guard(tx, doubted);
      const holding = mine.filter((step) => !doubted.includes(step) || confirmed.includes(step));
      written = await this.#write(tx, source, holding, beside);
    });
    return this.#committed(written);
  }

  /** As `save`, in the middle of a step: the leases stay, and so does the number of failures of each lane. */
  async saveWithin<S extends LaneStep>(
    source: LaneResults,
    steps: readonly S[],
    beside: SaveBeside<S>,
  ): Promise<readonly SavedStep<S>[]> {
    if (steps.length === 0) return [];
    const claimed = steps.map(({ lane }) => lane);
    const written = await this.lanes.checkpoint(claimed, (tx, held) =>
      this.#write(tx, source, ofLanes(steps, held), beside),
    );
    return this.#committed(written);
  }

  async #write<S extends LaneStep>(
    tx: Tx,
    source: LaneResults,
    steps: readonly S[],
    beside: SaveBeside<S> | undefined,
  ): Promise<Written<S>> {
    await this.outbox.ready(tx);
    const time = new Date(this.clock.now()).toISOString();
    const { saved, results } = await this.#saveCommands(tx, source, steps, time);
    const rows = new NewRows();
    const records = [...recordsOf(source, results), ...((await beside?.(tx, saved, time, rows)) ?? [])];
    const wire = this.outbox.add(rows, records);
    return { saved, results, published: await this.outbox.insert(tx, rows, wire) };
  }

  #committed<S extends LaneStep>({ saved, results, published }: Written<S>): readonly SavedStep<S>[] {
    this.#publish(published);
    this.report.saved(results);
    return saved;
  }

  #publish(published: StoredRows<WireRecord> | null): void {
    if (published === null || published.rows.length === 0) return;
    this.outbox.hold(published, this.relay.isActive());
    this.relay.wake();
  }

  async #saveCommands<S extends LaneStep>(
    tx: Tx,
    source: LaneResults,
    steps: readonly S[],
    time: string,
  ): Promise<{ saved: SavedStep<S>[]; results: SavedResult[] }> {
    const ended = steps.map((step) => conclusions(source, step, time));
    const given = await this.commands.conclude(
      tx,
      ended.flat().map(({ command, result }) => ({ id: command.id, outcome: outcomeOf(result), resultId: result.id })),
    );
    await this.commands.save(tx, steps.flatMap(changesOf));
    const saved = steps.map((step, index) => {
      const concluded = ended[index]!.filter(({ command }) => given.has(command.id));
      const isErased = concluded.some(({ command }) => given.get(command.id)?.isErased === true);
      return { step, concluded: new Map(concluded.map(({ command, result }) => [command.id, result])), isErased };
    });
    return { saved, results: saved.flatMap((each) => resultsOf(source, each, time)) };
  }
}

/** True if the step publishes nothing and concludes nothing. */
function isProgressOnly({ commands, corrections = [] }: LaneStep): boolean {
  return (
    corrections.length === 0 && commands.every(({ outcome }) => outcome.kind === 'wait' && outcome.awaits === undefined)
  );
}

function conclusions(source: LaneResults, { lane, commands }: LaneStep, time: string): Concluded[] {
  return commands.flatMap(({ command, outcome }) => {
    if (outcome.kind !== 'concluded') return [];
    const { operationIds, attempts = command.attempts } = outcome;
    const warnings = [...(source.warningsOf?.(command) ?? []), ...(outcome.conclusion.warnings ?? [])];
    const conclusion = { ...outcome.conclusion, warnings };
    const result = finalResult(subject(source, lane, command, command), conclusion, { time, attempts, operationIds });
    return [{ command, result }];
  });
}

/** Results of one lane: first late outcomes, then outcomes of its open commands. */
function resultsOf(source: LaneResults, { step, concluded }: SavedStep<LaneStep>, time: string): SavedResult[] {
  const { lane, commands, corrections = [] } = step;
  const late = corrections.map((each) => {
    const cameAt = Date.parse(each.receivedAt);
    return { result: correction(source, lane, each, time), cameAt, ...traceOf(each) };
  });
  const own = commands.flatMap(({ command, outcome }) => {
    if (source.isUnpublished?.(command) === true) return [];
    const result = concluded.get(command.id) ?? waiting(source, lane, { command, outcome }, time);
    return result === null ? [] : [{ result, cameAt: cameAtOf(command), ...traceOf(command) }];
  });
  return [...late, ...own];
}

function waiting(
  source: LaneResults,
  lane: ClaimedLane,
  { command, outcome }: { readonly command: OpenCommand; readonly outcome: StepOutcome },
  time: string,
): Result | null {
  if (outcome.kind !== 'wait' || outcome.awaits === undefined) return null;
  const { for: awaited, count } = outcome.awaits;
  const { attempts } = command;
  return waitingResult(subject(source, lane, command, command), awaited, { time, attempts, count });
}

function correction(source: LaneResults, lane: ClaimedLane, late: LateOutcome, time: string): Result {
  const { conclusion, attempts, operationIds, resultId: corrects, entity } = late;
  const about = { ...subject(source, lane, late, null), ...(entity !== undefined && { entity }) };
  return correctionResult(about, conclusion, { time, attempts, operationIds, corrects });
}

function subject(
  { aboutOf, topics }: LaneResults,
  lane: ClaimedLane,
  { commandId, command, receivedAt }: Pick<OpenCommand, 'commandId' | 'command' | 'receivedAt'>,
  open: OpenCommand | null,
): ResultSubject {
  const { tenant } = lane;
  return { tenant, inputTopic: topics.commands, commandId, command, receivedAt, ...aboutOf(lane, open) };
}

function recordsOf({ topics }: LaneResults, results: readonly SavedResult[]): OutRecord[] {
  return results.map(({ result, traceparent, cameAt }) => ({
    ...resultRecord(topics.results, result, traceparent),
    cameAt,
  }));
}

function changesOf({ commands }: LaneStep) {
  return commands.flatMap(({ command: { id }, outcome }) => {
    if (outcome.kind !== 'wait') return [];
    const { progress, attempt } = outcome;
    const awaits = outcome.awaits !== undefined;
    if (progress === null && attempt === undefined && !awaits) return [];
    return [{ id, progress, awaits, ...(attempt !== undefined && { attempt }) }];
  });
}

function outcomeOf({ outcome }: Result) {
  if (outcome === 'waiting' || outcome === 'corrected')
    throw new Error('A final result cannot be waiting or corrected');
  return outcome;
}

function traceOf({ traceparent }: { readonly traceparent: string }): { traceparent: string } {
  return { traceparent };
}
