import type { Commands } from '@gondola/messaging/commands/commands';
import type { Lanes, NextDue } from '@gondola/messaging/lanes/lanes';
import type { Outbox } from '@gondola/messaging/outbox/outbox';
import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import { resultRecord } from '@gondola/messaging/codec/result-record';
import type { Tx } from '@gondola/service-kit/database/database';
import type { Result } from '@gondola/shared/results/result';
import { waitingToText } from '../domain/awaiting.ts';
import type { CatalogKind } from '../domain/catalog-kinds.ts';
import {
  CATALOG_RESULTS,
  correctionResult,
  endResult,
  type ResultAbout,
  waitingResult,
} from '../domain/catalog-result.ts';
import type { ReferenceWaitsRepository } from '../outbound/reference-waits.repository.ts';
import type { CatalogReport, ToldResult } from './catalog-report.ts';
import type { LaneEnd, LaneWork, RecordEnd } from './lane-end.ts';

/** A lane that is saved; `end` and `result` where its record ended now. */
export interface KeptLane<W extends LaneWork, E extends RecordEnd> {
  readonly work: W;
  readonly ended: { readonly end: E; readonly result: Result } | null;
  /** No record is open any more that reports could be for. */
  readonly isQuiet: boolean;
}

/**
 * Keeps what is known of the entities of lanes, in the transaction that returns them, and gives what is to be told
 * beside the results.
 */
export interface LaneKeeper<W extends LaneWork, E extends RecordEnd> {
  keep(tx: Tx, kept: readonly KeptLane<W, E>[]): Promise<readonly OutRecord[]>;
}

export interface SaveLanesParts<W extends LaneWork, E extends RecordEnd> {
  readonly tenant: string;
  readonly kind: CatalogKind;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly outbox: Outbox;
  readonly referenceWaits: ReferenceWaitsRepository;
  readonly keeper: LaneKeeper<W, E>;
  readonly report: CatalogReport;
  readonly now: () => number;
}

/** What one lane's step tells and leaves. */
interface Saved<W extends LaneWork, E extends RecordEnd> {
  readonly kept: KeptLane<W, E>;
  readonly told: readonly ToldResult[];
  readonly due: { readonly inMs: number } | null;
}

const AT_ONCE = { inMs: 0 };

/**
 * Saves what a step came to, in the transaction that returns its lanes: outcomes, results, knowledge, progress
 * (mechanisms 2, 3).
 */
export class SaveLanes<W extends LaneWork, E extends RecordEnd> {
  readonly #parts: SaveLanesParts<W, E>;

  constructor(parts: SaveLanesParts<W, E>) {
    this.#parts = parts;
  }

  async save(ends: readonly LaneEnd<W, E>[]): Promise<void> {
    if (ends.length === 0) return;
    const { lanes, report } = this.#parts;
    let told: readonly ToldResult[] = [];
    const claimed = ends.map(({ work }) => work.lane);
    await lanes.finish(claimed, async (tx, held) => {
      const ids = new Set(held.map(({ id }) => id));
      const saved = await this.#saveAll(
        tx,
        ends.filter(({ work }) => ids.has(work.lane.id)),
      );
      told = saved.flatMap((each) => each.told);
      return dueOf(saved);
    });
    report.saved(told);
  }

  async #saveAll(tx: Tx, ends: readonly LaneEnd<W, E>[]): Promise<Saved<W, E>[]> {
    const { outbox, keeper, referenceWaits } = this.#parts;
    const saved: Saved<W, E>[] = [];
    for (const end of ends) saved.push(await this.#saveOne(tx, end));
    const results = saved.flatMap(({ told }) =>
      told.map(({ result, traceparent }) => resultRecord(CATALOG_RESULTS, result, traceparent)),
    );
    const others = await keeper.keep(
      tx,
      saved.map(({ kept }) => kept),
    );
    await outbox.append(tx, [...results, ...others]);
    const ended = saved.flatMap(({ kept }) => (kept.ended === null ? [] : [kept.work.lane.id]));
    await referenceWaits.clear(tx, ended);
    return saved;
  }

  async #saveOne(tx: Tx, end: LaneEnd<W, E>): Promise<Saved<W, E>> {
    const { commands, referenceWaits } = this.#parts;
    const { work } = end;
    const { command } = work;
    const told = this.#corrections(work);
    const kept = { work, ended: null, isQuiet: false };
    if (end.kind === 'idle' || command === null) {
      const due = end.kind === 'idle' && end.dueInMs !== null ? { inMs: end.dueInMs } : null;
      return { kept: { ...kept, isQuiet: true }, told, due };
    }
    if (end.kind === 'concluded') return this.#conclude(tx, end.work, end.end, told);
    if (end.kind === 'announces') {
      await commands.saveProgress(tx, command.id, waitingToText(end.waiting));
      await referenceWaits.replace(tx, work.lane, end.waiting.for);
      const result = waitingResult(this.#about(work), command, end.waiting);
      // Looked at once more after this is committed: see `decideAwaiting`.
      return { kept, told: [...told, tellingOf(result, command.traceparent)], due: AT_ONCE };
    }
    if (end.notSent) await commands.markNotSent(tx, [command.id]);
    if (end.progress !== null) await commands.saveProgress(tx, command.id, end.progress);
    return { kept, told, due: { inMs: end.ms } };
  }

  async #conclude(tx: Tx, work: W, end: E, corrections: readonly ToldResult[]): Promise<Saved<W, E>> {
    const { command } = work;
    if (command === null) throw new Error('A record ended that is not open');
    const result = endResult(this.#about(work), { ...command, ...end }, end.conclusion);
    // An outcome that was given stays: then nothing is told either (guarantee 3).
    const isFirst = await this.#parts.commands.finish(tx, command.id, end.conclusion.outcome, result.id);
    const kept = { work, ended: isFirst ? { end, result } : null, isQuiet: isFirst };
    const told = isFirst ? [tellingOf(result, command.traceparent, end.anomaly)] : [];
    return { kept, told: [...corrections, ...told], due: AT_ONCE };
  }

  #corrections(work: W): ToldResult[] {
    return work.corrected.map(({ record, conclusion, traceparent }) =>
      tellingOf(correctionResult(this.#about(work), record, conclusion), traceparent),
    );
  }

  #about({ lane }: W): ResultAbout {
    const { tenant, kind, now } = this.#parts;
    return { tenant, kind, externalReference: lane.identity, time: new Date(now()).toISOString() };
  }
}

function tellingOf(result: Result, traceparent: string, anomaly = false): ToldResult {
  return { result, traceparent, anomaly };
}

function dueOf(saved: readonly Saved<LaneWork, RecordEnd>[]): NextDue {
  return new Map(saved.map(({ kept, due }) => [kept.work.lane.id, due]));
}
