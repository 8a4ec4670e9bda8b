import { afterAttempt, type Attempted, Attempts, type CallAnswer } from '@gondola/messaging/commands/attempts';
import { Clock } from '@gondola/service-kit/run/clock';
import { withAttempt } from '@gondola/shared/commands/attempts';
import { Injectable } from '@nestjs/common';
import type { RecordAttempt, RecordProgress } from '../records/record-attempts.ts';
import { storedText } from '../records/stored-text.ts';
import { OperationsRepository } from '../outcomes/operations.repository.ts';
import type { LaneWork, Outgoing, RecordStep, StepRun } from './catalog-family.service.ts';
import { postBatch } from './batches.ts';
import { waits } from './catalog-family.service.ts';

type OutgoingRecord = Outgoing<LaneWork, RecordProgress>;

/** Records after the call of their batch. */
export interface Sent {
  readonly answered: readonly OutgoingRecord[];
  readonly unsent: readonly RecordStep<LaneWork, RecordProgress, never>[];
  /**
   * Their claim was not granted, for example since another record holds a reference: they are loaded and planned again.
   */
  readonly unclaimed: readonly OutgoingRecord[];
}

interface AttemptedRecord extends Attempted {
  readonly outgoing: OutgoingRecord;
  readonly progress: RecordProgress;
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
    const { deadlineMs } = tenant.settings;
    signal.throwIfAborted();
    const { made, heldBack } = await this.attempts.make(this.#attempted(run, batch), {
      deadlineMs,
      guard: async (tx, held) => {
        const wanted = held.map(({ outgoing }) => outgoing);
        const own = new Set(await family.entities.claim(tx, tenant, wanted));
        return held.filter(({ outgoing }) => own.has(outgoing));
      },
      call: (stored) => this.#post(run, stored),
    });
    const answered: OutgoingRecord[] = [];
    const unsent: Sent['unsent'][number][] = [];
    for (const { attempted, progress, ...end } of made) {
      const { work } = attempted.outgoing;
      const text = storedText(progress);
      if (end.kind === 'taken-back') unsent.push(waits(work, text, end.pauseMs, true));
      else answered.push({ work: { ...work, command: afterAttempt(work.command, text, deadlineMs) }, progress });
    }
    await this.#rememberOperations(tenant.id, answered);
    return { answered, unsent, unclaimed: heldBack.map(({ outgoing }) => outgoing) };
  }

  #attempted({ family }: StepRun, batch: readonly OutgoingRecord[]): AttemptedRecord[] {
    const at = this.#time();
    const shared = batch.length > 1;
    return batch.map((outgoing) => {
      const { lane, command } = outgoing.work;
      const attempt: Omit<RecordAttempt, 'answer'> = { at, seenReportId: family.seenReportId(outgoing.work), shared };
      return { lane, command, progress: withAttempt(outgoing.progress, attempt), outgoing };
    });
  }

  /** An accepted record settles from the time of its answer. */
  async #post(
    { family, tenant, signal }: StepRun,
    stored: readonly AttemptedRecord[],
  ): Promise<ReadonlyMap<string, CallAnswer>> {
    const [first] = stored;
    if (first === undefined) return new Map();
    const route = family.routeOf(first.progress);
    const { traceparent } = first.command;
    return postBatch(
      stored.map(({ lane, progress }) => ({ laneId: lane.id, text: family.itemText(progress) })),
      async (body, about): Promise<CallAnswer> => {
        const options = { ...(about !== undefined && { about }), signal, traceparent, urgent: family.isUrgent };
        const answer = await tenant.platform.post(route, body, options);
        return answer.kind === 'accepted' ? { ...answer, at: this.#time() } : answer;
      },
    );
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
