import type { Commands, OpenCommand } from '@gondola/messaging/commands/commands';
import type { Lanes } from '@gondola/messaging/lanes/lanes';
import type { MutationAnswer } from '@gondola/platform-client/answers';
import type { Tx } from '@gondola/service-kit/database/database';
import {
  progressToText,
  type SendingProgress,
  withAnswer,
  withoutLastSending,
  withSending,
} from '../domain/sendings.ts';
import type { OperationsRepository } from '../outbound/operations.repository.ts';
import type { CallOptions } from './catalog-platform.ts';
import { type LaneEnd, type LaneWork, waits } from './lane-end.ts';
import { postBatch } from './post-batch.ts';

/** A lane whose record is to be sent. */
export interface Outgoing<W extends LaneWork, P extends SendingProgress> {
  readonly work: W & { readonly command: OpenCommand };
  readonly progress: P;
}

/** How records of one kind go out together. */
export interface SendRoute<W extends LaneWork, P extends SendingProgress> {
  /** One item of the JSON array. */
  readonly text: (progress: P) => string;
  readonly post: (bodyText: string, options: CallOptions) => Promise<MutationAnswer>;
  /** The newest report that was stored when the lane was loaded. */
  readonly seenReportId: (work: W) => string;
  /**
   * Takes, in the transaction that writes "sending" down, what the records need for themselves; gives those that got
   * it.
   */
  readonly claim: (tx: Tx, outgoing: readonly Outgoing<W, P>[]) => Promise<readonly Outgoing<W, P>[]>;
}

export interface SendRecordsParts {
  readonly tenant: string;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly operations: OperationsRepository;
  readonly deadlineMs: number;
  readonly now: () => number;
}

/** What became of records that were to be sent. */
export interface Sent<W extends LaneWork, P extends SendingProgress> {
  readonly answered: readonly Outgoing<W, P>[];
  readonly unsent: readonly LaneEnd<W, never>[];
  /**
   * They did not get what they need for themselves: nothing is known to be wrong, and they have to be looked at anew.
   */
  readonly unclaimed: readonly Outgoing<W, P>[];
}

/**
 * Posts one batch: written down first, then one call (more only for a batch that is refused whole), then the answers
 * written down.
 */
export class SendRecords {
  readonly #parts: SendRecordsParts;

  constructor(parts: SendRecordsParts) {
    this.#parts = parts;
  }

  async send<W extends LaneWork, P extends SendingProgress>(
    outgoing: readonly Outgoing<W, P>[],
    route: SendRoute<W, P>,
    signal: AbortSignal,
  ): Promise<Sent<W, P>> {
    signal.throwIfAborted();
    const { claimed, unclaimed } = await this.#writeDown(outgoing, route);
    if (claimed.length === 0) return { answered: [], unsent: [], unclaimed };
    const traceparent = claimed[0]?.work.command.traceparent ?? undefined;
    const options = { signal, ...(traceparent !== undefined && { traceparent }) };
    const answers = await postBatch(
      claimed.map(({ work, progress }) => ({ laneId: work.lane.id, text: route.text(progress) })),
      (body) => route.post(body, options),
    );
    const answered: Outgoing<W, P>[] = [];
    const unsent: LaneEnd<W, never>[] = [];
    for (const { work, progress } of claimed) {
      const answer = answers.get(work.lane.id)!;
      if (answer.kind === 'unavailable') {
        const text = progressToText(withoutLastSending(progress, answer.cause));
        unsent.push(waits(work, text, answer.retryAfterMs, true));
      } else answered.push(this.#withAnswer({ work, progress }, answer));
    }
    await this.#rememberOperations(answered);
    return { answered, unsent, unclaimed };
  }

  /**
   * "Sending" is committed before the call, so that a crash behind it is found (rules 15, 16); lanes that were lost are
   * not sent.
   */
  async #writeDown<W extends LaneWork, P extends SendingProgress>(
    outgoing: readonly Outgoing<W, P>[],
    route: SendRoute<W, P>,
  ): Promise<{ claimed: Outgoing<W, P>[]; unclaimed: Outgoing<W, P>[] }> {
    const { lanes, commands, deadlineMs, now } = this.#parts;
    const at = new Date(now()).toISOString();
    const shared = outgoing.length > 1;
    const claimedLanes = outgoing.map(({ work }) => work.lane);
    return lanes.checkpoint(claimedLanes, async (tx, stillHeld) => {
      const ids = new Set(stillHeld.map(({ id }) => id));
      const held = outgoing.filter(({ work }) => ids.has(work.lane.id));
      const own = new Set(await route.claim(tx, held));
      const claimed = held
        .filter((each) => own.has(each))
        .map(({ work, progress }) => {
          const seenReportId = route.seenReportId(work);
          return { work, progress: withSending(progress, { at, seenReportId, shared }) };
        });
      const commandIds = claimed.map(({ work }) => work.command.id);
      await commands.markSending(tx, commandIds, deadlineMs);
      for (const { work, progress } of claimed) {
        await commands.saveProgress(tx, work.command.id, progressToText(progress));
      }
      return { claimed, unclaimed: held.filter((each) => !own.has(each)) };
    });
  }

  #withAnswer<W extends LaneWork, P extends SendingProgress>(
    { work, progress }: Outgoing<W, P>,
    answer: Exclude<MutationAnswer, { kind: 'unavailable' }>,
  ): Outgoing<W, P> {
    const { now, deadlineMs } = this.#parts;
    const at = new Date(now()).toISOString();
    const answered = withAnswer(progress, answer.kind === 'accepted' ? { ...answer, at } : answer);
    const command = {
      ...work.command,
      progress: progressToText(answered),
      attempts: work.command.attempts + 1,
      deadlineInMs: work.command.deadlineInMs ?? deadlineMs,
    };
    return { work: { ...work, command }, progress: answered };
  }

  /** So that what is told of an operation, naming no entity, wakes the lanes that it was for. */
  async #rememberOperations(answered: readonly Outgoing<LaneWork, SendingProgress>[]): Promise<void> {
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
