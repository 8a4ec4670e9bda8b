import type { LaneStep, StepOutcome } from '@gondola/messaging/commands/step-outcome';
import type { LaneResults, SavedStep, StepSaver } from '@gondola/messaging/commands/step-saver';
import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import type { Tx } from '@gondola/service-kit/database/database';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { Result } from '@gondola/shared/results/result';
import { waitingToText } from '../domain/awaiting.ts';
import { CATALOG_RESULTS, CATALOG_TOPICS, type CatalogKind } from '../domain/catalog-kinds.ts';
import type { ReferenceWaitsRepository } from '../outbound/reference-waits.repository.ts';
import type { CatalogReport } from './catalog-report.ts';
import type { LaneWork, RecordEnd, RecordStep } from './record-step.ts';

/** A lane that is saved; `end` and `result` where its record ended now. */
export interface SavedLane<W extends LaneWork, E extends RecordEnd> {
  readonly work: W;
  readonly ended: { readonly end: E; readonly result: Result } | null;
  /** No record is open any more that reports could be for. */
  readonly isQuiet: boolean;
}

/**
 * Saves what is known of the entities of lanes, in the transaction that returns them, and gives what is published
 * beside the results.
 */
export interface SaveEntities<W extends LaneWork, E extends RecordEnd> {
  save(tx: Tx, saved: readonly SavedLane<W, E>[]): Promise<readonly OutRecord[]>;
}

export interface SaveLanesParts<W extends LaneWork, E extends RecordEnd> {
  readonly kind: CatalogKind;
  readonly save: StepSaver;
  readonly referenceWaits: ReferenceWaitsRepository;
  readonly entities: SaveEntities<W, E>;
  readonly report: CatalogReport;
}

interface CatalogStep<W extends LaneWork, E extends RecordEnd> extends LaneStep {
  readonly of: RecordStep<W, E>;
}

function resultsOf(kind: CatalogKind): LaneResults {
  return {
    topics: { commands: CATALOG_TOPICS[kind], results: CATALOG_RESULTS },
    aboutOf: ({ identity: externalReference }) => ({ entity: { kind, externalReference } }),
  };
}

/** Saves what a step came to: the outcomes of its records, and beside them what is known of their entities. */
export class SaveLanes<W extends LaneWork, E extends RecordEnd> {
  readonly #parts: SaveLanesParts<W, E>;

  constructor(parts: SaveLanesParts<W, E>) {
    this.#parts = parts;
  }

  async save(steps: readonly RecordStep<W, E>[]): Promise<void> {
    const { save, report, kind } = this.#parts;
    const saved = await save.save(
      resultsOf(kind),
      steps.map((step) => this.#laneStep(step)),
      (tx, mine) => this.#saveBeside(tx, mine),
    );
    for (const { ended, work } of saved.map(savedLane)) {
      if (ended?.end.anomaly === true) report.anomaly(work, ended.result);
    }
  }

  #laneStep(of: RecordStep<W, E>): CatalogStep<W, E> {
    const { lane, command } = of.work;
    const corrections = of.work.corrected.map((late) => ({ ...late, conclusion: this.#worded(late.conclusion) }));
    const outcome = of.kind === 'idle' ? null : this.#outcome(of);
    const commands = outcome === null || command === null ? [] : [{ command, outcome }];
    return { lane, commands, corrections, dueInMs: dueInMs(of), of };
  }

  #outcome(step: Exclude<RecordStep<W, E>, { kind: 'idle' }>): StepOutcome {
    if (step.kind === 'concluded') {
      const { conclusion, operationIds, warnings } = step.end;
      return { kind: 'concluded', conclusion: { ...this.#worded(conclusion), warnings }, operationIds };
    }
    if (step.kind === 'announces') {
      const { for: awaited, told: count } = step.waiting;
      return { kind: 'wait', progress: waitingToText(step.waiting), awaits: { for: awaited, count } };
    }
    const wait = { kind: 'wait', progress: step.progress } as const;
    return step.takenBack ? { ...wait, attempt: { kind: 'taken-back' } } : wait;
  }

  /** Only results of products speak of SKUs. */
  #worded(conclusion: Conclusion): Conclusion {
    if (this.#parts.kind === 'product') return conclusion;
    const { skus: _none, ...rest } = conclusion;
    return rest;
  }

  async #saveBeside(tx: Tx, mine: readonly SavedStep<CatalogStep<W, E>>[]): Promise<readonly OutRecord[]> {
    const { entities, referenceWaits } = this.#parts;
    const saved = mine.map(savedLane);
    const records = await entities.save(tx, saved);
    const announced = mine.flatMap(({ step: { lane, of } }) =>
      of.kind === 'announces' ? [{ lane, awaited: of.waiting.for }] : [],
    );
    await referenceWaits.replace(tx, announced);
    await referenceWaits.clear(
      tx,
      saved.flatMap(({ ended, work }) => (ended === null ? [] : [work.lane.id])),
    );
    return records;
  }
}

function savedLane<W extends LaneWork, E extends RecordEnd>({
  step: { of },
  concluded,
}: SavedStep<CatalogStep<W, E>>): SavedLane<W, E> {
  const { work } = of;
  const result = work.command === null ? undefined : concluded.get(work.command.id);
  const ended = of.kind === 'concluded' && result !== undefined ? { end: of.end, result } : null;
  return { work, ended, isQuiet: ended !== null || of.kind === 'idle' || work.command === null };
}

function dueInMs(step: RecordStep<LaneWork, RecordEnd>): number | null {
  if (step.kind === 'idle') return step.dueInMs;
  // What announces is looked at once more after this is committed: see `decideAwaiting`.
  return step.kind === 'waits' ? step.ms : 0;
}
