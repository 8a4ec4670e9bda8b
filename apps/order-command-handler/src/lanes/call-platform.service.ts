import { cameAtOf } from '@gondola/lanes/commands/came-at';
import { StepSaver } from '@gondola/lanes/commands/step-saver';
import { Clock } from '@gondola/service-kit/run/clock';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { Slots } from '@gondola/shared/slots';
import { tracing } from '@gondola/service-kit/tracing/tracing';
import { Injectable } from '@nestjs/common';
import type { OrderCall } from '../platform/order-calls.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import type { PlatformCall } from './lane-plan.ts';
import { headOf, type LoadedHead, type LoadedLane, type PlannedLane } from './load-order-lanes.service.ts';
import { ORDER_LANE_RESULTS } from '../orders/order-topics.ts';
import { OrderTenants } from './order-tenants.service.ts';
import { type CommandProgress, withoutCall } from '../commands/command-progress.ts';
import { ReadOrder, waiting } from './read-order.service.ts';
import { SendChange } from './send-change.service.ts';

/** Longest wait of a lane for a call slot, in line and then asleep. */
const BUSY_MS = 500;

interface LaneCall {
  readonly loaded: LoadedLane;
  readonly call: PlatformCall;
}

/**
 * Makes the calls of a step, or postpones them while a circuit breaker is open or all slots of the tenant are taken.
 *
 *   a slot is free ──▶ the lanes of the step take slots in the order of their claim, and wait in line for them
 *   none is free ────▶ all of them sleep, and return in the same order
 *
 * A step waits in line only if it began with a call. Calls therefore never take the worker's last places, which stay
 * for lanes that only publish. A lane leaves the line after `BUSY_MS`, so that it sees a command that came meanwhile.
 */
@Injectable()
export class CallPlatform {
  readonly #slots = new Map<string, Slots>();

  constructor(
    private readonly platform: PlatformAdapter,
    private readonly send: SendChange,
    private readonly read: ReadOrder,
    private readonly saver: StepSaver,
    private readonly tenants: OrderTenants,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a call of each lane, all of one tenant. Waits for all even if one fails: a lane must not be returned during
   * its call.
   */
  async make(lanes: readonly PlannedLane[], signal: AbortSignal): Promise<void> {
    const calls = lanes.flatMap((each) => this.#chosen(each));
    const [first] = calls;
    if (first === undefined) return;
    const paused = calls.filter((each) => this.#pausedMs(each) > 0);
    await this.#untilResumed(paused);
    const free = calls.filter((each) => !paused.includes(each));
    if (free.length === 0) return;
    const slots = this.#slotsOf(first.loaded.lane.tenant);
    if (!slots.isOneFree) return this.#later(free, BUSY_MS);
    const turns = free.map(async (each) => ({ each, hasSlot: await slots.take(AbortSignal.timeout(BUSY_MS)) }));
    const made = await Promise.allSettled([
      this.#withoutSlot(turns),
      ...turns.map(async (turn) => {
        const { each, hasSlot } = await turn;
        if (hasSlot) await this.#inSlot(slots, each, signal);
      }),
    ]);
    const failed = made.find((each) => each.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** Returns the lanes that got no slot, all together: so they keep their order. */
  async #withoutSlot(turns: ReadonlyArray<Promise<{ each: LaneCall; hasSlot: boolean }>>): Promise<void> {
    const late = (await Promise.all(turns)).filter(({ hasSlot }) => !hasSlot);
    await this.#later(
      late.map(({ each }) => each),
      0,
    );
  }

  async #inSlot(slots: Slots, each: LaneCall, signal: AbortSignal): Promise<void> {
    try {
      signal.throwIfAborted();
      if (this.#pausedMs(each) > 0) return await this.#untilResumed([each]);
      await this.#make(each, signal);
    } finally {
      slots.leave();
    }
  }

  #slotsOf(tenant: string): Slots {
    const slots = this.#slots.get(tenant) ?? new Slots(this.tenants.of(tenant).maxCalls);
    this.#slots.set(tenant, slots);
    return slots;
  }

  async #make({ loaded, call }: LaneCall, signal: AbortSignal): Promise<void> {
    const command = commandOf({ loaded, call });
    const cause = command?.traceparent ?? loaded.state?.statusFact?.traceparent;
    const traceparent =
      cause === undefined ? tracing.begin('watch order', this.randomness.bytes) : tracing.within(cause);
    const entity = loaded.lane.identity;
    const askedBy =
      command === null ? [] : [{ commandId: command.open.commandId, cameAt: cameAtOf(command.open), entity }];
    const options = { signal, traceparent, askedBy };
    if (call.kind === 'watch') return this.read.watch(loaded, call.watch, options);
    const head = headOf(loaded, call.commandId);
    if (call.kind === 'send') return this.send.send(loaded, head, call.change, options);
    if (call.kind === 'read') return this.read.status(loaded, head, call.purpose, options);
    return this.read.payload(loaded, head, call.purpose, options);
  }

  /** Postpones the lanes without a call; they return in their order. */
  async #later(calls: readonly LaneCall[], dueInMs: number): Promise<void> {
    const steps = calls.map(({ loaded: { lane } }) => ({ lane, commands: [], dueInMs }));
    await this.saver.save(ORDER_LANE_RESULTS, steps);
  }

  /**
   * Postpones the lanes while a circuit breaker is open, which is stored for operators; up to half as long again, so
   * that the lanes do not return together.
   */
  async #untilResumed(calls: readonly LaneCall[]): Promise<void> {
    if (calls.length === 0) return;
    const steps = calls.map((each) => {
      const command = commandOf(each);
      const commands = command !== null && isToBeStored(command) ? [waiting(command, this.#paused(command))] : [];
      return { lane: each.loaded.lane, commands, dueInMs: this.#pausedMs(each) * (1 + this.randomness.fraction() / 2) };
    });
    await this.saver.save(ORDER_LANE_RESULTS, steps);
  }

  /** The first call whose route is not paused, or else the one that is paused for the shortest time. */
  #chosen({ loaded, plan: { calls } }: PlannedLane): readonly LaneCall[] {
    const all = calls.map((call) => ({ each: { loaded, call }, pausedMs: this.#pausedMs({ loaded, call }) }));
    return all
      .toSorted((one, other) => one.pausedMs - other.pausedMs)
      .slice(0, 1)
      .map(({ each }) => each);
  }

  #pausedMs({ loaded, call }: LaneCall): number {
    return this.platform.pausedForMs(loaded.lane.tenant, callOf(call));
  }

  #paused({ progress }: LoadedHead): CommandProgress {
    return withoutCall(progress, progress.blocked ?? 'paused', new Date(this.clock.now()).toISOString());
  }
}

function callOf(call: PlatformCall): OrderCall {
  if (call.kind === 'send') return call.change.kind;
  if (call.kind === 'watch') return call.watch.reads === 'payload' ? 'read-payload' : 'read';
  return call.kind;
}

function commandOf({ loaded, call }: LaneCall): LoadedHead | null {
  return call.kind === 'watch' ? null : headOf(loaded, call.commandId);
}

/** True if the failed read is to be stored: before the deadline only its cause, after it also its time. */
function isToBeStored({ progress, deadlineInMs }: LoadedHead): boolean {
  return progress.blocked === null || (deadlineInMs !== null && deadlineInMs <= 0);
}
