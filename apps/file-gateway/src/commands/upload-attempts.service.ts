import { Attempts, type CallAnswer } from '@gondola/lanes/commands/attempts';
import { ConsumedRecords } from '@gondola/kafka/server/consumed-records';
import type { ReadAnswer } from '@gondola/platform-client/answers';
import { Clock } from '@gondola/service-kit/run/clock';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { applied, type Conclusion, refused, unchanged, unconfirmed } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/outcomes/reason-codes';
import { Inject, Injectable } from '@nestjs/common';
import { FailuresRepository } from '../notifications/failures.repository.ts';
import { called, type FileStep, type LaneWork, LOST_LANE, takenBack, waits } from './file-step.ts';
import type { UploadDecision, UploadSituation } from '../platform/decide-upload.ts';
import type { FileAttempt, FileProgress, ReadingContext } from '../platform/file-attempt.ts';
import { afterFailedRead, NOT_TRIED } from '../platform/read-progress.ts';

/** Wait before a reading is repeated that the platform refused after something was sent. */
const REFUSED_READ_WAIT_MS = 30_000;

/** Input of a decision, besides the command's own progress. */
export interface LoadedSituation extends Omit<UploadSituation, 'attempts' | 'reading'> {
  /** The attempt, if one is made now. */
  readonly attempt: Omit<FileAttempt, 'answer'>;
}

/** Steps that carry out a decision for one command. `Shown`: result of its reading. */
export interface UploadSteps<P extends FileProgress, Shown> {
  readonly progress: P;
  readonly settings: { readonly deadlineMs: number };
  /** Progress with the attempt that is made now. */
  readonly attempted: () => P;
  readonly send: (attempted: P) => Promise<CallAnswer>;
  readonly read: () => Promise<ReadAnswer<Shown>>;
  /** `shown` is null if the platform answered that there is nothing. */
  readonly withShown: (shown: Shown | null) => P | Promise<P>;
  readonly conclude: (conclusion: Conclusion) => FileStep | Promise<FileStep>;
}

/** Attempts to change files: loads the facts for a decision, and carries the decision out. */
@Injectable()
export class UploadAttempts {
  constructor(
    private readonly failures: FailuresRepository,
    @Inject(ConsumedRecords) private readonly consumed: Pick<ConsumedRecords, 'upTo' | 'ask'>,
    private readonly attempts: Attempts,
    private readonly clock: Clock,
  ) {}

  async load({ lane, command }: LaneWork, progress: FileProgress): Promise<LoadedSituation> {
    const { tenant } = lane;
    const operationIds = operationIdsOf(progress);
    // Before what is stored is loaded, so that this includes all records before that time.
    const consumedUpToMs = this.consumed.upTo();
    const about = { tenant, lane, commandRowId: command.id, operationIds };
    const { failures, newestId: seenFailureId } = await this.failures.ofCommand(about);
    const { deadlineInMs } = command;
    const nowMs = this.clock.now();
    const attempt = { at: new Date(nowMs).toISOString(), seenFailureId };
    const { failedReadAt } = progress;
    const failedReadAtMs = failedReadAt === undefined ? null : Date.parse(failedReadAt);
    return { failures, attempt, deadlineInMs, nowMs, failedReadAtMs, consumedUpToMs };
  }

  /** Context of a reading that is made now. */
  reading({ command }: LaneWork, afterRefusal: boolean): ReadingContext {
    const afterDeadline = (command.deadlineInMs ?? 1) <= 0;
    return { at: new Date(this.clock.now()).toISOString(), afterRefusal, afterDeadline };
  }

  /** Carries a decision out: one call, a wait, or the conclusion. */
  async follow<P extends FileProgress, Shown>(
    work: LaneWork,
    decision: UploadDecision,
    steps: UploadSteps<P, Shown>,
  ): Promise<FileStep> {
    const { progress } = steps;
    if (decision.kind === 'wait') return waits(progress, decision.ms);
    if (decision.kind === 'catch-up') return this.catchUp(progress, decision.untilMs);
    if (decision.kind === 'read') return this.#read(work, steps);
    if (decision.kind === 'send') return this.#send(work, steps);
    return steps.conclude(conclusionOf(decision, work.tenant.language));
  }

  /** Waits until the notifications up to that time, in milliseconds since 1970, are stored (rule 5). */
  catchUp(progress: FileProgress, untilMs: number): FileStep {
    return waits(progress, this.catchUpMs(untilMs));
  }

  /** Milliseconds after which the notifications up to that time may be stored. */
  catchUpMs(untilMs: number): number {
    return this.consumed.ask(untilMs);
  }

  async #read<P extends FileProgress, Shown>(work: LaneWork, steps: UploadSteps<P, Shown>): Promise<FileStep> {
    const { progress } = steps;
    const answer = await steps.read();
    if (answer.kind === 'found' || answer.kind === 'not-found') {
      const shown = answer.kind === 'found' ? answer.value : null;
      return called({ ...(await steps.withShown(shown)), failedReads: null });
    }
    const failed = { ...progress, failedReadAt: new Date(this.clock.now()).toISOString() };
    if (answer.kind === 'unavailable' && progress.attempts.length === 0) {
      // Nothing was sent, so no deadline runs: the command waits until the files can be read.
      const next = afterFailedRead(failed.failedReads ?? NOT_TRIED, answer, this.clock.now());
      return waits({ ...failed, failedReads: next.progress, blocked: answer.cause }, next.ms);
    }
    if (answer.kind === 'unavailable') return waits({ ...failed, blocked: answer.cause }, answer.retryAfterMs);
    if (progress.attempts.length > 0) return waits({ ...failed, blocked: 'read-refused' }, REFUSED_READ_WAIT_MS);
    // The platform refused the read before anything was sent, so its refusal is the outcome.
    const platform = { statusCode: answer.status, message: answer.message };
    return steps.conclude(refused(work.tenant.language, { evidence: 'none', platform }));
  }

  /** Stores the attempt, makes it, and stores its answer (rules 15, 16). */
  async #send<P extends FileProgress, Shown>(work: LaneWork, steps: UploadSteps<P, Shown>): Promise<FileStep> {
    work.call.signal.throwIfAborted();
    const { lane, command } = work;
    const { made } = await this.attempts.make([{ lane, command, progress: steps.attempted() }], {
      deadlineMs: steps.settings.deadlineMs,
      call: async (stored) => {
        const answers = stored.map(async (each) => [lane.id, await steps.send(each.progress)] as const);
        return new Map(await Promise.all(answers));
      },
    });
    const [attempt] = made;
    if (attempt === undefined) return LOST_LANE;
    return attempt.kind === 'answered' ? called(attempt.progress) : takenBack(attempt.progress, attempt.pauseMs);
  }
}

type Concluded = Exclude<UploadDecision, { kind: 'wait' | 'catch-up' | 'send' | 'read' }>;

function conclusionOf(decision: Concluded, language: Language): Conclusion {
  if (decision.kind === 'already-there') return unchanged();
  if (decision.kind === 'applied') return applied('read-back');
  if (decision.kind === 'presumed') return applied('presumed');
  if (decision.kind === 'unconfirmed') return unconfirmed(language);
  return refused(language, decision.refusal);
}
