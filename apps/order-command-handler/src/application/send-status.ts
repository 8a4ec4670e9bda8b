import type { Commands, OpenCommand } from '@gondola/messaging/commands';
import type { Lanes } from '@gondola/messaging/lanes';
import type { Tx } from '@gondola/service-kit/database';
import { orderStatusName } from '@gondola/shared/order-statuses';
import {
  type CommandProgress,
  type StatusBefore,
  withAnswer,
  withSending,
  withoutLastSending,
} from '../domain/command-progress.ts';
import type { LoadedLane } from './load-order-lanes.ts';
import type { CallOptions, OrderPlatform } from './order-platform.ts';
import type { FactStore } from './order-stores.ts';

export interface SendStatusOptions {
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly facts: FactStore;
  readonly platform: OrderPlatform;
  readonly deadlineMs: number;
  readonly now: () => number;
}

/**
 * One sending of a command that sets a status:
 *
 *   write down "sending" ──▶ PATCH ──▶ write down the answer
 *        │ a fact came since the lane was loaded: nothing is sent, the lane is looked at anew
 *
 * What is found written down without an answer may have been applied, and is read before anything is sent again (rule 16). The write-down
 * also draws the line of rule 10: facts stored before it are news, those after it may be the echo.
 */
export class SendStatus {
  readonly #options: SendStatusOptions;

  constructor(options: SendStatusOptions) {
    this.#options = options;
  }

  async send(loaded: LoadedLane, target: number, call: CallOptions): Promise<void> {
    const { lanes, commands, platform } = this.#options;
    const { lane, open, orderNumber } = loaded;
    const status = orderStatusName(target);
    if (open === null || orderNumber === null || status === null) throw new Error('Only a status command can be sent');
    const sending = await this.#writeDown(loaded, open);
    if (sending === null) return this.#lookAgain(loaded);
    const answer = await platform.setStatus(orderNumber, status, call);
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
  async #writeDown(loaded: LoadedLane, open: OpenCommand): Promise<CommandProgress | null> {
    const { lanes, facts, now } = this.#options;
    const { lane, seenFactId, head } = loaded;
    if (head === null) return null;
    const at = new Date(now()).toISOString();
    const progress = withSending(head.progress, { at, seenFactId, before: beforeOf(loaded) });
    return lanes.checkpoint([lane], async (tx, held) => {
      if (held.length === 0 || (await facts.hasNewer(tx, lane.id, seenFactId))) return null;
      await this.#markSending(tx, open, progress);
      return progress;
    });
  }

  async #markSending(tx: Tx, open: OpenCommand, progress: CommandProgress): Promise<void> {
    const { commands, deadlineMs } = this.#options;
    await commands.markSending(tx, [open.id], deadlineMs);
    await commands.saveProgress(tx, open.id, JSON.stringify(progress));
  }

  async #lookAgain({ lane }: LoadedLane): Promise<void> {
    await this.#options.lanes.finish([lane], async () => new Map([[lane.id, { inMs: 0 }]]));
  }
}

/** The status that the sending is to change. */
function beforeOf({ state }: LoadedLane): StatusBefore {
  const fact = state?.statusFact;
  if (fact === null || fact === undefined || fact.status === null)
    throw new Error('Nothing is sent for an unknown order');
  return { status: fact.status, ticks: fact.ticks === null ? null : String(fact.ticks), hash: fact.hash };
}
