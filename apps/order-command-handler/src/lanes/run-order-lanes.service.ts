import type { StepSaver } from '@gondola/messaging/commands/step-saver';
import type { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import type { Language } from '@gondola/shared/results/reason-codes';
import { TRACE_RANDOM_BYTES, childTraceparent } from '@gondola/shared/topics/traceparent';
import type { CommandSettings } from '../commands/decision.ts';
import { type PlatformCall, planLane } from './lane-plan.ts';
import { NOTHING_TOLD } from '../orders/published-state.ts';
import { headOf, type LoadedHead, type LoadedLane, type LoadOrderLanes } from './load-order-lanes.service.ts';
import type { OrderPlatform } from '../platform/order-calls.ts';
import { type ReadOrder, waiting } from './read-order.service.ts';
import type { PlannedLane, SaveOrderLanes } from './save-order-lanes.service.ts';
import type { SendChange } from './send-change.service.ts';
import { ORDER_LANE_RESULTS } from './order-results.adapter.ts';

export interface RunOrderLanesOptions {
  readonly steps: StepSaver;
  readonly load: LoadOrderLanes;
  readonly save: SaveOrderLanes;
  readonly sendChange: SendChange;
  readonly read: ReadOrder;
  readonly platform: OrderPlatform;
  readonly consumed: Pick<ConsumedRecords, 'hasConsumedUpTo'>;
  readonly language: Language;
  readonly settings: CommandSettings;
  /** Calls at once; steps beyond it give their lanes back, so that calls never take every place that folding needs. */
  readonly maxCalls: number;
  readonly now: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
}

/**
 * How long a lane waits that found all places for calls taken; up to half as long again, so that not all come back
 * together.
 */
const BUSY_MS = 500;

interface CallingLane {
  readonly loaded: LoadedLane;
  readonly call: PlatformCall;
}

/**
 * Mechanism 2 for orders of one tenant: one step of several lanes.
 *
 *   load ──▶ plan each (pure) ──▶ save those that have news or an outcome, or nothing to do ──▶ done
 *                             └─▶ call the platform for the others, each on its own, outside any transaction ──▶ done
 *
 * A step saves or calls, never both: what the ERP must know is committed before the platform is asked for more.
 */
export class RunOrderLanes {
  readonly #options: RunOrderLanesOptions;
  #calls = 0;

  constructor(options: RunOrderLanesOptions) {
    this.#options = options;
  }

  async step(lanes: readonly ClaimedLane[], signal: AbortSignal): Promise<void> {
    const loaded = await this.#options.load.load(lanes);
    const planned = loaded.map((each) => this.#plan(each));
    await this.#options.save.save(planned.filter(({ plan }) => plan.call === null));
    const calling = planned.flatMap(({ loaded: each, plan: { call } }) =>
      call === null ? [] : [{ loaded: each, call }],
    );
    // All are waited for, whatever fails: a lane must not be given away while its call is under way.
    const ends = await Promise.allSettled(calling.map((each) => this.#callOrLater(each, signal)));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  #plan(loaded: LoadedLane): PlannedLane {
    const { language, settings, now } = this.#options;
    const { state, values, skus, finalPrice, row } = loaded;
    const heads = loaded.heads.map(({ head }) => head);
    const nowMs = now();
    const isLagging = heads.some(({ deadlineInMs }) => this.#isLagging(deadlineInMs, nowMs));
    const { told, unconfirmed, watch } = row ?? { told: NOTHING_TOLD, unconfirmed: [], watch: null };
    const known = { state, values, skus, finalPrice, told, unconfirmed, watch };
    return { loaded, plan: planLane({ ...known, heads, nowMs, isLagging, language }, settings) };
  }

  #isLagging(deadlineInMs: number | null, nowMs: number): boolean {
    if (deadlineInMs === null || deadlineInMs > 0) return false;
    return !this.#options.consumed.hasConsumedUpTo(nowMs + deadlineInMs);
  }

  async #callOrLater({ loaded, call }: CallingLane, signal: AbortSignal): Promise<void> {
    const { platform, maxCalls, random } = this.#options;
    const pausedMs = platform.pausedForMs();
    const waitMs = Math.max(pausedMs, this.#calls >= maxCalls ? BUSY_MS : 0);
    const each = call.kind === 'watch' ? null : headOf(loaded, call.commandId);
    if (waitMs > 0) return this.#later(loaded, each, waitMs * (1 + random() / 2), pausedMs > 0);
    this.#calls += 1;
    try {
      signal.throwIfAborted();
      await this.#call(loaded, each, call, signal);
    } finally {
      this.#calls -= 1;
    }
  }

  async #call(loaded: LoadedLane, each: LoadedHead | null, call: PlatformCall, signal: AbortSignal): Promise<void> {
    const { sendChange, read, randomBytes } = this.#options;
    const traceparent = each === null ? (loaded.state?.statusFact?.traceparent ?? null) : each.open.traceparent;
    const options = { signal, traceparent: childTraceparent(traceparent, randomBytes(TRACE_RANDOM_BYTES)) };
    if (call.kind === 'watch') return read.watch(loaded, call.watch, options);
    const head = headOf(loaded, call.commandId);
    if (call.kind === 'send') return sendChange.send(loaded, head, call.change, options);
    if (call.kind === 'read') return read.status(loaded, head, call.purpose, options);
    return read.payload(loaded, head, call.purpose, options);
  }

  /** Nothing was called; that the tenant is paused is kept for operators to see. */
  async #later({ lane }: LoadedLane, each: LoadedHead | null, inMs: number, isPaused: boolean): Promise<void> {
    const isNews = each !== null && isPaused && each.head.progress.blocked === null;
    const commands = isNews ? [waiting(each, { ...each.head.progress, blocked: 'paused' })] : [];
    await this.#options.steps.save(ORDER_LANE_RESULTS, [{ lane, commands, dueInMs: inMs }]);
  }
}
