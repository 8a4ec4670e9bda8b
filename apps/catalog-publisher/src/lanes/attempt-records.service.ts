import { type Attempted, Attempts, afterAttempt } from '@gondola/messaging/commands/attempts';
import type { MutationAnswer } from '@gondola/platform-client/answers';
import { Clock } from '@gondola/service-kit/run/clock';
import { withAnswer, withAttempt, withoutLastAttempt } from '@gondola/shared/commands/attempts';
import { Injectable } from '@nestjs/common';
import type { RecordAttempt, RecordProgress } from '../records/record-attempts.ts';
import { storedText } from '../records/stored-text.ts';
import { OperationsRepository } from '../outcomes/operations.repository.ts';
import type { LaneWork, Outgoing, RecordStep, StepRun } from './catalog-family.service.ts';
import { postBatch } from './batches.ts';
import { jittered, waits } from './catalog-family.service.ts';

type OutgoingRecord = Outgoing<LaneWork, RecordProgress>;

/** Answers to records that were to be sent. */
export interface Sent {
  readonly answered: readonly OutgoingRecord[];
  readonly unsent: readonly RecordStep<LaneWork, RecordProgress, never>[];
  /**
   * Their claim was not granted, for example since another record holds a reference: they are loaded and planned again.
   */
  readonly unclaimed: readonly OutgoingRecord[];
}

interface WrittenRecord extends Attempted {
  readonly outgoing: OutgoingRecord;
  readonly attempted: RecordProgress;
}

/**
 * One batch: stores the attempts, makes one call (more only for a batch that is refused whole), returns the answers.
 */
@Injectable()
export class AttemptRecords {
  constructor(
    private readonly attempts: Attempts,
    private readonly operations: OperationsRepository,
    private readonly clock: Clock,
  ) {}

  /** @param batch records of one route */
  async send(run: StepRun, batch: readonly OutgoingRecord[]): Promise<Sent> {
    const { family, tenant, signal } = run;
    signal.throwIfAborted();
    const { written, heldBack } = await this.#writeDown(run, batch);
    const unclaimed = heldBack.map((each) => each.outgoing);
    const [first] = written;
    if (first === undefined) return { answered: [], unsent: [], unclaimed };
    const route = family.routeOf(first.attempted);
    const answers = await postBatch(
      written.map(({ lane, attempted }) => ({ laneId: lane.id, text: family.itemText(attempted) })),
      (body, about) =>
        tenant.platform.post(route, body, {
          ...(about !== undefined && { about }),
          signal,
          traceparent: first.command.traceparent,
          urgent: family.isUrgent,
        }),
    );
    const answered: OutgoingRecord[] = [];
    const unsent: Sent['unsent'][number][] = [];
    for (const { lane, outgoing, attempted } of written) {
      const answer = answers.get(lane.id)!;
      if (answer.kind === 'unavailable') {
        const text = storedText(withoutLastAttempt(attempted, answer.cause));
        unsent.push(waits(outgoing.work, text, jittered(answer.retryAfterMs), true));
      } else answered.push(this.#withAnswer(run, outgoing.work, attempted, answer));
    }
    await this.#rememberOperations(tenant.id, answered);
    return { answered, unsent, unclaimed };
  }

  #writeDown({ family, tenant }: StepRun, batch: readonly OutgoingRecord[]) {
    const at = this.#time();
    const shared = batch.length > 1;
    const records = batch.map((outgoing): WrittenRecord => {
      const { work, progress } = outgoing;
      const attempt: Omit<RecordAttempt, 'answer'> = { at, seenReportId: family.seenReportId(work), shared };
      const progressed = withAttempt(progress, attempt);
      return {
        lane: work.lane,
        command: work.command,
        progress: storedText(progressed),
        outgoing,
        attempted: progressed,
      };
    });
    return this.attempts.writeDown(records, {
      deadlineMs: tenant.settings.deadlineMs,
      guard: async (tx, held) => {
        const wanted = held.map((each) => each.outgoing);
        const own = new Set(await family.entities.claim(tx, tenant, wanted));
        return held.filter((each) => own.has(each.outgoing));
      },
    });
  }

  #withAnswer(
    { tenant }: StepRun,
    work: OutgoingRecord['work'],
    attempted: RecordProgress,
    answer: Exclude<MutationAnswer, { kind: 'unavailable' }>,
  ): OutgoingRecord {
    const progress = withAnswer(attempted, answer.kind === 'accepted' ? { ...answer, at: this.#time() } : answer);
    const command = afterAttempt(work.command, storedText(progress), tenant.settings.deadlineMs);
    return { work: { ...work, command }, progress };
  }

  /** Stores the lanes of an operation, so that a report without an entity wakes them. */
  async #rememberOperations(tenant: string, answered: readonly OutgoingRecord[]): Promise<void> {
    const sent = answered.flatMap(({ work, progress }) => {
      const answer = progress.attempts.at(-1)?.answer;
      const operationId = answer?.kind === 'accepted' ? answer.operationId : null;
      return operationId === null ? [] : [{ operationId, laneId: work.lane.id }];
    });
    await this.operations.remember(tenant, sent);
  }

  #time(): string {
    return new Date(this.clock.now()).toISOString();
  }
}
