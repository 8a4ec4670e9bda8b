import { Attempts } from '@gondola/messaging/commands/attempts';
import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import { Clock } from '@gondola/service-kit/run/clock';
import {
  type AttemptProgress,
  operationIdsOf,
  withAnswer,
  withoutLastAttempt,
} from '@gondola/shared/commands/attempts';
import { Inject, Injectable } from '@nestjs/common';
import { FailuresRepository } from '../notifications/failures.repository.ts';
import type { ChangeAnswer } from './platform.adapter.ts';
import { called, type CommandTurn, type LaneWork, LOST_LANE, takenBack, waits } from '../lanes/command-turn.service.ts';
import type { UploadSituation } from './decide-upload.ts';
import type { FileAttempt, ReadingContext } from './file-attempt.ts';

/** Input of a decision, besides the command's own progress. */
export interface LoadedSituation extends Omit<UploadSituation, 'sendings' | 'reading'> {
  /** An attempt that is made now. */
  readonly attempt: Omit<FileAttempt, 'answer'>;
}

/** Attempts to upload images or an invoice file: the facts that they are decided by, and the call. */
@Injectable()
export class UploadAttempts {
  constructor(
    private readonly failures: FailuresRepository,
    @Inject(ConsumedRecords) private readonly consumed: Pick<ConsumedRecords, 'upTo' | 'ask'>,
    private readonly attempts: Attempts,
    private readonly clock: Clock,
  ) {}

  async load({ lane, command }: LaneWork, progress: AttemptProgress): Promise<LoadedSituation> {
    const { tenant } = lane;
    const operationIds = operationIdsOf(progress);
    const about = { tenant, lane, commandRowId: command.id, operationIds };
    const { failures, newestId: seenFailureId } = await this.failures.ofCommand(about);
    const { deadlineInMs } = command;
    const nowMs = this.clock.now();
    const attempt = { at: new Date(nowMs).toISOString(), seenFailureId };
    return { failures, attempt, deadlineInMs, nowMs, consumedUpToMs: this.consumed.upTo() };
  }

  /** A reading that is made now. */
  reading({ command }: LaneWork, afterRefusal: boolean): ReadingContext {
    const afterDeadline = (command.deadlineInMs ?? 1) <= 0;
    return { at: new Date(this.clock.now()).toISOString(), afterRefusal, afterDeadline };
  }

  /** Waits until the notifications of that time, in milliseconds since 1970, are stored (rule 5). */
  catchUp(progress: AttemptProgress, untilMs: number): CommandTurn {
    return waits(progress, this.consumed.ask(untilMs));
  }

  /** Writes the last attempt of `attempted` down, makes it, and stores its answer (rules 15, 16). */
  async make(
    work: LaneWork,
    attempted: AttemptProgress,
    options: { readonly deadlineMs: number },
    call: () => Promise<ChangeAnswer>,
  ): Promise<CommandTurn> {
    work.call.signal.throwIfAborted();
    const { lane, command } = work;
    const made = await this.attempts.make({ lane, command, progress: JSON.stringify(attempted) }, options, call);
    if (made === null) return LOST_LANE;
    const { answer } = made;
    if (answer.kind === 'unavailable') return takenBack(withoutLastAttempt(attempted, answer.cause), answer);
    return called(withAnswer(attempted, answer));
  }
}
