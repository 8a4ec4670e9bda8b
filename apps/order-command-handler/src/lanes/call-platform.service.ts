import { StepSaver } from '@gondola/messaging/commands/step-saver';
import { Clock } from '@gondola/service-kit/run/clock';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { childTraceparent, TRACE_RANDOM_BYTES } from '@gondola/shared/topics/traceparent';
import { Injectable } from '@nestjs/common';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import type { PlatformCall } from './lane-plan.ts';
import { headOf, type LoadedHead, type LoadedLane } from './load-order-lanes.service.ts';
import { ORDER_LANE_RESULTS } from './order-records.adapter.ts';
import { OrderTenants } from './order-tenants.service.ts';
import { type CommandProgress, withFailedRead } from '../commands/command-progress.ts';
import { ReadOrder, waiting } from './read-order.service.ts';
import { SendChange } from './send-change.service.ts';

/**
 * How long a lane waits that found all places for calls taken; up to half as long again, so that not all come back
 * together.
 */
const BUSY_MS = 500;

/** Makes the call of a step, or later where its tenant is paused or has as many calls under way as it may. */
@Injectable()
export class CallPlatform {
  /** Calls under way, by tenant. */
  readonly #underWay = new Map<string, number>();

  constructor(
    private readonly platform: PlatformAdapter,
    private readonly send: SendChange,
    private readonly read: ReadOrder,
    private readonly saver: StepSaver,
    private readonly tenants: OrderTenants,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  async make(loaded: LoadedLane, call: PlatformCall, signal: AbortSignal): Promise<void> {
    const { tenant } = loaded.lane;
    const underWay = this.#underWay.get(tenant) ?? 0;
    const pausedMs = this.platform.pausedForMs(tenant);
    const waitMs = Math.max(pausedMs, underWay >= this.tenants.of(tenant).maxCalls ? BUSY_MS : 0);
    const each = call.kind === 'watch' ? null : headOf(loaded, call.commandId);
    if (waitMs > 0) return this.#later(loaded, each, waitMs, pausedMs > 0);
    this.#underWay.set(tenant, underWay + 1);
    try {
      signal.throwIfAborted();
      await this.#make(loaded, each, call, signal);
    } finally {
      this.#underWay.set(tenant, (this.#underWay.get(tenant) ?? 1) - 1);
    }
  }

  async #make(loaded: LoadedLane, each: LoadedHead | null, call: PlatformCall, signal: AbortSignal): Promise<void> {
    const parent = each === null ? (loaded.state?.statusFact?.traceparent ?? null) : each.open.traceparent;
    const traceparent = childTraceparent(parent, this.randomness.bytes(TRACE_RANDOM_BYTES));
    const options = { signal, traceparent };
    if (call.kind === 'watch') return this.read.watch(loaded, call.watch, options);
    const head = headOf(loaded, call.commandId);
    if (call.kind === 'send') return this.send.send(loaded, head, call.change, options);
    if (call.kind === 'read') return this.read.status(loaded, head, call.purpose, options);
    return this.read.payload(loaded, head, call.purpose, options);
  }

  /** Nothing was called; that the tenant is paused is stored for operators to see. */
  async #later({ lane }: LoadedLane, each: LoadedHead | null, waitMs: number, isPaused: boolean): Promise<void> {
    const commands = isPaused && each !== null && isNews(each) ? [waiting(each, this.#paused(each))] : [];
    const dueInMs = waitMs * (1 + this.randomness.fraction() / 2);
    await this.saver.save(ORDER_LANE_RESULTS, [{ lane, commands, dueInMs }]);
  }

  #paused({ head: { progress } }: LoadedHead): CommandProgress {
    return withFailedRead(progress, progress.blocked ?? 'paused', new Date(this.clock.now()).toISOString());
  }
}

/** Before the deadline it is enough to know that the platform is away, after it also since when it cannot be read. */
function isNews({ head: { progress, deadlineInMs } }: LoadedHead): boolean {
  return progress.blocked === null || (deadlineInMs !== null && deadlineInMs <= 0);
}
