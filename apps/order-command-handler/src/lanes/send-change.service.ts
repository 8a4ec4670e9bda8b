import { afterCall, Attempts } from '@gondola/lanes/commands/attempts';
import { StepSaver } from '@gondola/lanes/commands/step-saver';
import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import { withAttempt } from '@gondola/shared/commands/attempts';
import { PAYMENT_APPROVED } from '@gondola/shared/orders/order-statuses';
import type { AttemptStep, Change, CallOptions } from '../platform/order-calls.ts';
import type { StatusBefore } from '../commands/command-progress.ts';
import { hashOfLines } from '../commands/plan-picking.ts';
import { compareRecency } from '../facts/order-fact.ts';
import type { LoadedHead, LoadedLane } from './load-order-lanes.service.ts';
import { ORDER_LANE_RESULTS } from '../orders/order-topics.ts';
import { NextStep } from './next-step.service.ts';
import { OrderTenants } from './order-tenants.service.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';

/**
 * Makes one attempt of a command: stores it, calls, stores the answer. If a fact may have arrived since the lane was
 * claimed, nothing is sent and the lane is loaded again. The stored attempt is also the line of rule 10: earlier facts
 * are published, later ones may be the echo.
 */
@Injectable()
export class SendChange {
  constructor(
    private readonly attempts: Attempts,
    private readonly saver: StepSaver,
    private readonly platform: PlatformAdapter,
    private readonly tenants: OrderTenants,
    private readonly next: NextStep,
    private readonly clock: Clock,
  ) {}

  async send(loaded: LoadedLane, head: LoadedHead, change: Change, call: CallOptions): Promise<void> {
    const { lane, orderNumber, seenFactId, finalPrice } = loaded;
    const { open: command } = head;
    if (orderNumber === null || head.judged.kind === 'invalid')
      throw new Error('Only a valid command of an order can be sent');
    const marker = {
      at: new Date(this.clock.now()).toISOString(),
      seenFactId,
      before: statusBefore(loaded, change.kind),
    };
    const lines = change.kind === 'picking' && { linesBefore: hashOfLines(loaded.values?.items ?? []) };
    const attempt = { ...marker, step: change.kind, priceBefore: finalPrice, ...lines };
    const progress = withAttempt(head.progress, attempt);
    const deadlineMs = this.tenants.of(lane.tenant).deadlines[head.judged.definition.deadline];
    const { made } = await this.attempts.make([{ lane, command, progress }], {
      deadlineMs,
      unlessWoken: true,
      call: async () => {
        const answer = await this.platform.change({ tenant: lane.tenant, orderNumber }, change, call);
        return new Map([[lane.id, answer]]);
      },
    });
    const commands = made.map((each) => ({ command, outcome: afterCall(each) }));
    const dueInMs = made.reduce<number | null>((_, each) => {
      if (each.kind === 'taken-back') return each.pauseMs;
      return this.next.dueAfterCall(loaded, { head, progress: each.progress, deadlineMs });
    }, 0);
    await this.saver.save(ORDER_LANE_RESULTS, [{ lane, commands, dueInMs }]);
  }
}

/**
 * The status before a change; for a picking the newer of status and values, which its 1300 must be newer than. An order
 * that was released without a status is approved (rule 8).
 */
export function statusBefore({ state }: LoadedLane, step: AttemptStep | 'pdf'): StatusBefore {
  const status = state?.statusFact ?? null;
  const values = step === 'picking' ? (state?.valuesFact ?? null) : null;
  const fact = status !== null && values !== null && compareRecency(values, status) > 0 ? values : status;
  if (state === null) throw new Error('Nothing is sent for an unknown order');
  if (fact === null || fact.status === null) return { status: PAYMENT_APPROVED, ticks: null, hash: '' };
  return { status: fact.status, ticks: fact.ticks === null ? null : String(fact.ticks), hash: fact.hash };
}
