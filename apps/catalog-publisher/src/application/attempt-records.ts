import { type Attempted, type Attempts, afterAttempt } from '@gondola/messaging/commands/attempts';
import type { OpenCommand } from '@gondola/messaging/commands/commands';
import type { MutationAnswer } from '@gondola/platform-client/answers';
import type { Tx } from '@gondola/service-kit/database/database';
import { withAnswer, withAttempt, withoutLastAttempt } from '@gondola/shared/commands/attempts';
import { progressToText, type RecordAttempt, type RecordProgress } from '../domain/record-attempts.ts';
import type { OperationsRepository } from '../outbound/operations.repository.ts';
import type { CallOptions } from './catalog-platform.ts';
import { postBatch } from './post-batch.ts';
import { type LaneWork, type RecordStep, waits } from './record-step.ts';

/** A lane whose record is to be sent. */
export interface Outgoing<W extends LaneWork, P extends RecordProgress> {
  readonly work: W & { readonly command: OpenCommand };
  readonly progress: P;
}

/** How records of one kind go out together. */
export interface AttemptRoute<W extends LaneWork, P extends RecordProgress> {
  /** One item of the JSON array. */
  readonly text: (progress: P) => string;
  readonly post: (bodyText: string, options: CallOptions) => Promise<MutationAnswer>;
  /** The newest report that was stored when the lane was loaded. */
  readonly seenReportId: (work: W) => string;
  /**
   * Takes, in the transaction that writes the attempts down, what the records need for themselves; gives those that got
   * it.
   */
  readonly claim: (tx: Tx, outgoing: readonly Outgoing<W, P>[]) => Promise<readonly Outgoing<W, P>[]>;
}

export interface AttemptRecordsParts {
  readonly tenant: string;
  readonly attempts: Attempts;
  readonly operations: OperationsRepository;
  readonly deadlineMs: number;
  readonly now: () => number;
}

/** What became of records that were to be sent. */
export interface Sent<W extends LaneWork, P extends RecordProgress> {
  readonly answered: readonly Outgoing<W, P>[];
  readonly unsent: readonly RecordStep<W, never>[];
  /**
   * They did not get what they need for themselves: nothing is known to be wrong, and they have to be looked at anew.
   */
  readonly unclaimed: readonly Outgoing<W, P>[];
}

interface WrittenRecord<W extends LaneWork, P extends RecordProgress> extends Attempted {
  readonly outgoing: Outgoing<W, P>;
  readonly sending: P;
}

/** One batch: its attempts written down, one call (more only for a batch that is refused whole), the answers. */
export class AttemptRecords {
  readonly #parts: AttemptRecordsParts;

  constructor(parts: AttemptRecordsParts) {
    this.#parts = parts;
  }

  async send<W extends LaneWork, P extends RecordProgress>(
    outgoing: readonly Outgoing<W, P>[],
    route: AttemptRoute<W, P>,
    signal: AbortSignal,
  ): Promise<Sent<W, P>> {
    signal.throwIfAborted();
    const { written, keptOut } = await this.#writeDown(outgoing, route);
    const unclaimed = keptOut.map((each) => each.outgoing);
    const [first] = written;
    if (first === undefined) return { answered: [], unsent: [], unclaimed };
    const answers = await postBatch(
      written.map(({ lane, sending }) => ({ laneId: lane.id, text: route.text(sending) })),
      (body) => route.post(body, { signal, traceparent: first.command.traceparent }),
    );
    const answered: Outgoing<W, P>[] = [];
    const unsent: RecordStep<W, never>[] = [];
    for (const { lane, outgoing: each, sending } of written) {
      const answer = answers.get(lane.id)!;
      if (answer.kind === 'unavailable') {
        const text = progressToText(withoutLastAttempt(sending, answer.cause));
        unsent.push(waits(each.work, text, answer.retryAfterMs, true));
      } else answered.push(this.#withAnswer(each.work, sending, answer));
    }
    await this.#rememberOperations(answered);
    return { answered, unsent, unclaimed };
  }

  #writeDown<W extends LaneWork, P extends RecordProgress>(
    outgoing: readonly Outgoing<W, P>[],
    route: AttemptRoute<W, P>,
  ) {
    const { attempts, deadlineMs, now } = this.#parts;
    const at = new Date(now()).toISOString();
    const shared = outgoing.length > 1;
    const attempted = outgoing.map((each): WrittenRecord<W, P> => {
      const { work, progress } = each;
      const attempt: Omit<RecordAttempt, 'answer'> = { at, seenReportId: route.seenReportId(work), shared };
      const sending = withAttempt<RecordProgress>(progress, attempt) as P;
      return { lane: work.lane, command: work.command, progress: progressToText(sending), outgoing: each, sending };
    });
    return attempts.writeDown(attempted, {
      deadlineMs,
      guard: async (tx, held) => {
        const own = new Set(
          await route.claim(
            tx,
            held.map((each) => each.outgoing),
          ),
        );
        return held.filter((each) => own.has(each.outgoing));
      },
    });
  }

  #withAnswer<W extends LaneWork, P extends RecordProgress>(
    work: Outgoing<W, P>['work'],
    sending: P,
    answer: Exclude<MutationAnswer, { kind: 'unavailable' }>,
  ): Outgoing<W, P> {
    const { now, deadlineMs } = this.#parts;
    const at = new Date(now()).toISOString();
    const progress = withAnswer(sending, answer.kind === 'accepted' ? { ...answer, at } : answer);
    return { work: { ...work, command: afterAttempt(work.command, progressToText(progress), deadlineMs) }, progress };
  }

  /** So that what is told of an operation, naming no entity, wakes the lanes that it was for. */
  async #rememberOperations(answered: readonly Outgoing<LaneWork, RecordProgress>[]): Promise<void> {
    const { operations, tenant } = this.#parts;
    await operations.remember(
      tenant,
      answered.flatMap(({ work, progress }) => {
        const answer = progress.sendings.at(-1)?.answer;
        const operationId = answer?.kind === 'accepted' ? answer.operationId : null;
        return operationId === null ? [] : [{ operationId, laneId: work.lane.id }];
      }),
    );
  }
}
