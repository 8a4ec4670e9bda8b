import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import type { LaneStep, StepOutcome } from '@gondola/messaging/commands/step-outcome';
import { type LaneResults, type SavedStep, StepSaver } from '@gondola/messaging/commands/step-saver';
import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { waitingToText } from '../waiting/awaiting.ts';
import { CATALOG_RESULTS, CATALOG_TOPICS } from '../records/catalog-kinds.ts';
import type { RecordProgress } from '../records/record-attempts.ts';
import { isResend, RESEND } from '../records/resend.ts';
import { ReferenceWaitsRepository } from '../waiting/reference-waits.repository.ts';
import type { AnyFamily, LaneWork, RecordStep, SavedLane } from './catalog-family.service.ts';
import { CatalogMetrics } from '../outcomes/catalog.metrics.ts';
import type { CatalogTenant } from './catalog-tenants.service.ts';

type Step = RecordStep<LaneWork, RecordProgress, unknown>;

interface CatalogStep extends LaneStep {
  readonly record: Step;
}

/** Saves the results of a step: the outcomes of its records, and the state of their entities. */
@Injectable()
export class SaveRecords {
  constructor(
    private readonly saver: StepSaver,
    private readonly referenceWaits: ReferenceWaitsRepository,
    private readonly metrics: CatalogMetrics,
  ) {}

  async save(family: AnyFamily, tenant: CatalogTenant, steps: readonly Step[]): Promise<void> {
    const saved = await this.saver.save(resultsOf(family), steps.map(laneStep), (tx, mine) =>
      this.#saveBeside(tx, family, tenant, mine),
    );
    for (const { ended: end, work } of saved.map(savedLane)) {
      if (end?.end.anomaly === true) this.metrics.anomaly(work.lane, end.result);
    }
  }

  async #saveBeside(
    tx: Tx,
    family: AnyFamily,
    tenant: CatalogTenant,
    mine: readonly SavedStep<CatalogStep>[],
  ): Promise<readonly OutRecord[]> {
    const saved = mine.map(savedLane);
    const records = await family.entities.save(tx, tenant, saved);
    const announced = mine.flatMap(({ step: { lane, record } }) =>
      record.kind === 'announces' ? [{ lane, awaited: record.waiting.for }] : [],
    );
    await this.referenceWaits.replace(tx, announced);
    await this.referenceWaits.clear(
      tx,
      saved.flatMap(({ ended, work }) => (ended === null ? [] : [work.lane.id])),
    );
    return records;
  }
}

function resultsOf(family: AnyFamily): LaneResults {
  return {
    topics: { commands: CATALOG_TOPICS[family.kind], results: CATALOG_RESULTS },
    aboutOf: ({ identity }) => ({ entity: family.entityOf(identity) }),
    isUnpublished: isResend,
  };
}

function laneStep(record: Step): CatalogStep {
  const { lane, command, corrected, beside } = record.work;
  const corrections = corrected.filter((late) => late.command !== RESEND);
  const head = record.kind === 'idle' || command === null ? [] : [{ command, outcome: outcomeOf(record) }];
  const commands = [...(beside?.outcomes ?? []), ...head];
  return { lane, commands, corrections, dueInMs: dueInMs(record), record };
}

function outcomeOf(step: Exclude<Step, { kind: 'idle' }>): StepOutcome {
  if (step.kind === 'concluded') {
    const { conclusion, operationIds, warnings } = step.end;
    return { kind: 'concluded', conclusion: { ...conclusion, warnings }, operationIds };
  }
  if (step.kind === 'announces') {
    const { for: awaited, announced: count } = step.waiting;
    return { kind: 'wait', progress: waitingToText(step.waiting), awaits: { for: awaited, count } };
  }
  const wait = { kind: 'wait', progress: step.progress } as const;
  return step.takenBack ? { ...wait, attempt: { kind: 'taken-back' } } : wait;
}

function savedLane({
  step: { record },
  concluded,
}: SavedStep<CatalogStep>): SavedLane<LaneWork, RecordProgress, unknown> {
  const { work } = record;
  const result = work.command === null ? undefined : concluded.get(work.command.id);
  const ended = record.kind === 'concluded' && result !== undefined ? { end: record.end, result } : null;
  return {
    work,
    ended,
    results: concluded,
    isQuiet: ended !== null || record.kind === 'idle' || work.command === null,
  };
}

/** Earlier of the due times of the lane's head and of the records beside it. */
function dueInMs(step: Step): number | null {
  const head = headDueInMs(step);
  const beside = step.work.beside?.dueInMs ?? null;
  return head === null || beside === null ? (head ?? beside) : Math.min(head, beside);
}

function headDueInMs(step: Step): number | null {
  if (step.kind === 'idle') return step.dueInMs;
  // An announced record is checked once more after this commit: see `decideAwaiting`.
  return step.kind === 'waits' ? step.ms : 0;
}
