import { isDeepStrictEqual } from 'node:util';
import { afterAttempt } from '@gondola/lanes/commands/attempts';
import { Clock } from '@gondola/service-kit/run/clock';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { Injectable } from '@nestjs/common';
import type { AttemptMarker, CommandProgress } from '../commands/command-progress.ts';
import { isReadingDoubted, statusOf } from '../facts/order-state.ts';
import { foldedFacts } from '../facts/standing-facts.ts';
import type { OrderRow, UnconfirmedCommand } from '../orders/order-row.ts';
import { type LanePlan, planLane } from './lane-plan.ts';
import { headOf, type LoadedHead, type LoadedLane, type PlannedLane } from './load-order-lanes.service.ts';
import { OrderTenants } from './order-tenants.service.ts';

/**
 * Foresees the next step of a lane from what this one saves, instead of making it to find out that there is nothing to
 * do: milliseconds until the lane is due; null: not before it is woken. What arrives meanwhile wakes the lane.
 */
@Injectable()
export class NextStep {
  constructor(
    private readonly tenants: OrderTenants,
    private readonly clock: Clock,
  ) {}

  /** After a step that saves, if it concludes all commands and none waits behind them; else as planned. */
  dueAfterSave({ loaded, plan }: PlannedLane): number | null {
    const { concluded, corrections, pdf, release, published } = plan;
    const ended = new Set(concluded.map(({ commandId }) => commandId));
    const isOver =
      ended.size > 0 &&
      loaded.heads.every(({ commandId, isLast }) => isLast && ended.has(commandId)) &&
      concluded.every(({ conclusion: { outcome } }) => outcome !== 'unconfirmed') &&
      published.awaitedSkus.length === 0;
    if (!isOver || corrections.length > 0 || pdf !== null || release !== null) return plan.dueInMs;
    const { row } = loaded;
    const next = rowAfter(loaded, plan, []) ?? row;
    const statusSince = next.status === row.status ? row.statusSince : new Date(this.clock.now());
    return this.#foreseen({ ...loaded, heads: [], row: { ...next, statusSince } });
  }

  /** After an attempt of a command that was answered. */
  dueAfterCall(
    loaded: LoadedLane,
    { head, progress, deadlineMs }: { head: LoadedHead; progress: CommandProgress; deadlineMs: number },
  ): number | null {
    const open = afterAttempt(head.open, JSON.stringify(progress), deadlineMs);
    const called = { ...head, open, progress, deadlineInMs: open.deadlineInMs };
    const heads = loaded.heads.map((each) => (each === head ? called : each));
    return this.#foreseen({ ...loaded, heads });
  }

  /** How long the lane sleeps if its next step only waits; else 0. */
  #foreseen(next: LoadedLane): number | null {
    const plan = planLane(next, { nowMs: this.clock.now(), isLagging: false }, this.tenants.of(next.lane.tenant));
    const { calls, events, concluded, corrections, pdf, release } = plan;
    const isToDo = [calls, events, concluded, corrections].some((each) => each.length > 0);
    return isToDo || pdf !== null || release !== null || rowAfter(next, plan, []) !== null ? 0 : plan.dueInMs;
  }
}

/** Most operations that are stored of an order's concluded commands, far more than an order has. */
const MAX_PAST_OPERATIONS = 100;

/** The order's row after a step; null if it is unchanged. */
export function rowAfter(
  loaded: LoadedLane,
  { published, concluded, corrections, watch, openSteps }: LanePlan,
  added: readonly UnconfirmedCommand[],
): OrderRow | null {
  const { row, state, heads } = loaded;
  if (state === null) return null;
  const corrected = new Set(corrections.map(({ unconfirmed }) => unconfirmed));
  const operationIds = concluded.flatMap(({ commandId }) => operationIdsOf(headOf(loaded, commandId).progress));
  const next: OrderRow = {
    ...row,
    orderId: state.orderId,
    status: statusOf(state),
    published,
    unconfirmed: [...row.unconfirmed.filter((command) => !corrected.has(command)), ...added],
    watch,
    openSteps,
    folded: foldedFacts(row.folded, state.facts, heads.flatMap(markersOf)),
    isDoubted: published.status !== null && isReadingDoubted(state),
    pastOperationIds: [...new Set([...row.pastOperationIds, ...operationIds])].slice(-MAX_PAST_OPERATIONS),
  };
  return isDeepStrictEqual(next, row) ? null : next;
}

/** Stored attempts and requests of a command, with the facts known at their time. */
function markersOf({ progress }: LoadedHead): readonly AttemptMarker[] {
  return [...progress.attempts, ...(progress.pdfAsked === null ? [] : [progress.pdfAsked])];
}
