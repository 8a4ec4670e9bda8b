import type { Commands } from '@gondola/messaging/commands/commands';
import type { Lanes } from '@gondola/messaging/lanes/lanes';
import type { Tx } from '@gondola/service-kit/database/database';
import type { Change, SendingStep } from '../domain/change.ts';
import {
  type CommandProgress,
  type StatusBefore,
  withAnswer,
  withSending,
  withoutLastSending,
} from '../domain/command-progress.ts';
import { compareRecency } from '../domain/order-fact.ts';
import type { LoadedHead, LoadedLane } from './load-order-lanes.ts';
import type { CallOptions, OrderPlatform } from './order-platform.ts';
import type { FactStore } from './order-stores.ts';

export interface SendChangeOptions {
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly facts: FactStore;
  readonly platform: OrderPlatform;
  /** From the first sending, by the kind of the command. */
  readonly deadlineMs: (head: LoadedHead) => number;
  readonly now: () => number;
}

/**
 * One sending of a command:
 *
 *   write down "sending" ──▶ call ──▶ write down the answer
 *        │ a fact came since the lane was loaded: nothing is sent, the lane is looked at anew
 *
 * What is found written down without an answer may have been applied, and is read before anything is sent again (rule
 * 16). The write-down also draws the line of rule 10: facts stored before it are news, those after it may be the echo.
 */
export class SendChange {
  readonly #options: SendChangeOptions;

  constructor(options: SendChangeOptions) {
    this.#options = options;
  }

  async send(loaded: LoadedLane, each: LoadedHead, change: Change, call: CallOptions): Promise<void> {
    const { lanes, commands, platform } = this.#options;
    const { lane, orderNumber } = loaded;
    const { open } = each;
    if (orderNumber === null) throw new Error('Only what names an order can be sent');
    const sending = await this.#writeDown(loaded, each, change.kind);
    if (sending === null) return this.#lookAgain(loaded);
    const answer = await platform.change(orderNumber, change, call);
    await lanes.finish([lane], async (tx) => {
      if (answer.kind === 'unavailable') {
        await commands.markNotSent(tx, [open.id]);
        await commands.saveProgress(tx, open.id, JSON.stringify(withoutLastSending(sending, answer.cause)));
        return new Map([[lane.id, { inMs: answer.retryAfterMs }]]);
      }
      await commands.saveProgress(tx, open.id, JSON.stringify(withAnswer(sending, answer)));
      return new Map([[lane.id, { inMs: 0 }]]);
    });
  }

  /** Null: the lane is no longer ours, or something came that may make the sending wrong. */
  async #writeDown(loaded: LoadedLane, each: LoadedHead, step: SendingStep): Promise<CommandProgress | null> {
    const { lanes, facts, now } = this.#options;
    const { lane, seenFactId, finalPrice } = loaded;
    const mark = { at: new Date(now()).toISOString(), seenFactId, before: statusBefore(loaded, step) };
    const progress = withSending(each.head.progress, { ...mark, step, priceBefore: finalPrice });
    return lanes.checkpoint([lane], async (tx, held) => {
      if (held.length === 0 || (await facts.hasNewer(tx, lane.id, seenFactId))) return null;
      await this.#markSending(tx, each, progress);
      return progress;
    });
  }

  async #markSending(tx: Tx, each: LoadedHead, progress: CommandProgress): Promise<void> {
    const { commands, deadlineMs } = this.#options;
    const { id } = each.open;
    await commands.markSending(tx, [id], deadlineMs(each));
    await commands.saveProgress(tx, id, JSON.stringify(progress));
  }

  async #lookAgain({ lane }: LoadedLane): Promise<void> {
    await this.#options.lanes.finish([lane], async () => new Map([[lane.id, { inMs: 0 }]]));
  }
}

/** The status that is to change; for a picking the newest of status and values, which its 1300 has to be newer than. */
export function statusBefore({ state }: LoadedLane, step: SendingStep | 'pdf'): StatusBefore {
  const status = state?.statusFact ?? null;
  const values = step === 'picking' ? (state?.valuesFact ?? null) : null;
  const fact = status !== null && values !== null && compareRecency(values, status) > 0 ? values : status;
  if (fact === null || fact.status === null) throw new Error('Nothing is sent for an unknown order');
  return { status: fact.status, ticks: fact.ticks === null ? null : String(fact.ticks), hash: fact.hash };
}
