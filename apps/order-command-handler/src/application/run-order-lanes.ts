import type { Commands } from '@gondola/messaging/commands/commands';
import type { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import type { ClaimedLane, Lanes } from '@gondola/messaging/lanes/lanes';
import type { Language } from '@gondola/shared/results/reason-codes';
import { TRACE_RANDOM_BYTES, childTraceparent } from '@gondola/shared/topics/traceparent';
import type { CancellationWatch } from '../domain/cancellation-watch.ts';
import type { CommandSettings } from '../domain/decision.ts';
import { type CommandCall, type PlatformCall, planLane } from '../domain/lane-plan.ts';
import { NOTHING_TOLD } from '../domain/told.ts';
import { headOf, type LoadedHead, type LoadedLane, type LoadOrderLanes } from './load-order-lanes.ts';
import type { OrderPlatform } from './order-platform.ts';
import type { ReadPayload } from './read-payload.ts';
import type { ReadStatus } from './read-status.ts';
import type { PlannedLane, SaveOrderLanes } from './save-order-lanes.ts';
import type { SendChange } from './send-change.ts';
import type { WatchCancellation } from './watch-cancellation.ts';

export interface RunOrderLanesOptions {
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly load: LoadOrderLanes;
  readonly save: SaveOrderLanes;
  readonly sendChange: SendChange;
  readonly readStatus: ReadStatus;
  readonly readPayload: ReadPayload;
  readonly watchCancellation: WatchCancellation;
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
      if (call.kind === 'watch') await this.#watch(loaded, call.watch, signal);
      else await this.#call(loaded, headOf(loaded, call.commandId), call, signal);
    } finally {
      this.#calls -= 1;
    }
  }

  async #call(loaded: LoadedLane, each: LoadedHead, call: CommandCall, signal: AbortSignal): Promise<void> {
    const { sendChange, readStatus, readPayload, randomBytes } = this.#options;
    const traceparent = childTraceparent(each.open.traceparent, randomBytes(TRACE_RANDOM_BYTES));
    const options = { signal, traceparent };
    if (call.kind === 'send') return sendChange.send(loaded, each, call.change, options);
    if (call.kind === 'read') return readStatus.read(loaded, each, call.purpose, options);
    return readPayload.read(loaded, each, call.purpose, options);
  }

  async #watch(loaded: LoadedLane, watch: CancellationWatch, signal: AbortSignal): Promise<void> {
    const { watchCancellation, randomBytes } = this.#options;
    const { traceparent = null } = loaded.state?.statusFact ?? {};
    const options = { signal, traceparent: childTraceparent(traceparent, randomBytes(TRACE_RANDOM_BYTES)) };
    await watchCancellation.read(loaded, watch, options);
  }

  /** Nothing was called; that the tenant is paused is kept for operators to see. */
  async #later({ lane }: LoadedLane, each: LoadedHead | null, inMs: number, isPaused: boolean): Promise<void> {
    const { lanes, commands } = this.#options;
    await lanes.finish([lane], async (tx) => {
      if (each !== null && isPaused && each.head.progress.blocked === null) {
        const blocked = { ...each.head.progress, blocked: 'paused' };
        await commands.save(tx, [{ id: each.open.id, progress: JSON.stringify(blocked) }]);
      }
      return new Map([[lane.id, { inMs }]]);
    });
  }
}
