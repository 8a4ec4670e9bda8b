import { cameAtOf } from '@gondola/lanes/commands/came-at';
import { Commands, type OpenCommand } from '@gondola/lanes/commands/commands';
import type { LaneStep, LateOutcome, StepOutcome } from '@gondola/lanes/commands/step-outcome';
import { type SavedStep, StepSaver } from '@gondola/lanes/commands/step-saver';
import type { OutRecord } from '@gondola/kafka/records/record-codec';
import { ShadowModes } from '@gondola/lanes/modes/shadow-modes';
import type { NewRows } from '@gondola/lanes/store/new-rows';
import type { Tx } from '@gondola/service-kit/database/database';
import { tracing } from '@gondola/service-kit/tracing/tracing';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { orderEventKey } from '@gondola/shared/topics/dedup-keys';
import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import { type Correction, correctedConclusion, rememberUnconfirmed } from '../commands/corrections.ts';
import {
  publishedCorrection,
  publishedEvent,
  publishedResult,
  PublishedRecordsRepository,
} from '../orders/published-records.repository.ts';
import { FISCAL_COMMANDS } from '../commands/order-commands.ts';
import { unreadFields } from '../facts/unread-fields.ts';
import { orderNumberOf } from '../facts/order-lane.ts';
import { withPdfAsked, withPdfCheckAsked } from '../commands/command-progress.ts';
import { attemptsOf } from './lane-situation.ts';
import { withSkus } from '../skus/match-skus.ts';
import { OrderEventsMetrics } from '../orders/orders.metrics.ts';
import { headOf, type LoadedHead, type LoadedLane, type PlannedLane } from './load-order-lanes.service.ts';
import { NextStep, rowAfter } from './next-step.service.ts';
import { eventRecord } from '../orders/order-event.ts';
import { ORDER_LANE_RESULTS } from '../orders/order-topics.ts';
import { type PdfRequest, pdfRecord } from '../pdf-results/pdf-request.ts';
import { newReleaseFact } from '../facts/release.ts';
import { OrderFactsRepository } from '../facts/order-facts.repository.ts';
import { OrdersRepository } from '../orders/orders.repository.ts';
import { OrderTenants } from './order-tenants.service.ts';
import { statusBefore } from './send-change.service.ts';

interface OrderStep extends LaneStep, PlannedLane {}

/**
 * Saves steps without a call: outcomes of commands, with the order's events, the request for its PDF and the order's
 * row (mechanisms 2, 3).
 */
@Injectable()
export class SaveOrderLanes {
  constructor(
    private readonly saver: StepSaver,
    private readonly orders: OrdersRepository,
    private readonly facts: OrderFactsRepository,
    private readonly history: PublishedRecordsRepository,
    private readonly events: OrderEventsMetrics,
    private readonly tenants: OrderTenants,
    private readonly commands: Commands,
    private readonly next: NextStep,
    private readonly clock: Clock,
    private readonly modes: ShadowModes,
  ) {}

  async save(planned: readonly PlannedLane[]): Promise<void> {
    let records: readonly OutRecord[] = [];
    await this.saver.save(
      ORDER_LANE_RESULTS,
      planned.map((each) => this.#step(each)),
      async (tx, saved, time, rows) => (records = await this.#saveBeside(tx, saved, time, rows)),
      (tx, steps) => this.#withoutErased(tx, steps),
    );
    this.events.saved(records);
  }

  /** As `save`, in the middle of a step, for plans that conclude commands and nothing else. Returns what was saved. */
  async saveWithin(planned: readonly PlannedLane[]): Promise<readonly PlannedLane[]> {
    const saved = await this.saver.saveWithin(
      ORDER_LANE_RESULTS,
      planned.map((each) => this.#step(each)),
      (tx, steps, time, rows) => this.#saveBeside(tx, steps, time, rows),
    );
    return saved.map(({ step }) => step);
  }

  /**
   * Drops orders that were erased since they were loaded: their input still has personal data. They are loaded again.
   */
  async #withoutErased(tx: Tx, steps: readonly OrderStep[]): Promise<readonly OrderStep[]> {
    const erased = await this.facts.erasedSince(
      tx,
      steps.map(({ loaded }) => loaded),
    );
    return erased.size === 0 ? steps : steps.filter(({ lane }) => !erased.has(lane.id));
  }

  #step(planned: PlannedLane): OrderStep {
    const { loaded, plan } = planned;
    const concluded = plan.concluded.map(({ commandId, conclusion }) => {
      const head = headOf(loaded, commandId);
      const figures = { operationIds: operationIdsOf(head.progress), attempts: attemptsOf(head) };
      relateTraces(head, figures.operationIds, loaded);
      return { command: head.open, outcome: { kind: 'concluded', conclusion, ...figures } as const };
    });
    const asked = plan.pdf === null ? [] : this.#pdfAsked(loaded, plan.pdf);
    const corrections = plan.corrections.map((each) => this.#lateOutcome(loaded, each));
    const dueInMs = this.next.dueAfterSave(planned);
    return { lane: loaded.lane, commands: [...concluded, ...asked], corrections, dueInMs, loaded, plan };
  }

  #lateOutcome({ lane, row }: LoadedLane, correction: Correction): LateOutcome {
    const { language } = this.tenants.of(lane.tenant);
    const conclusion = correctedConclusion(correction, language, row.published.revision || null);
    return { ...correction.unconfirmed, conclusion };
  }

  /**
   * Stores the request to file-gateway together with its record: exactly once (rule 15). A check alone starts no
   * deadline: it sends nothing to the platform.
   */
  #pdfAsked(loaded: LoadedLane, request: PdfRequest): { command: OpenCommand; outcome: StepOutcome }[] {
    const head = headOf(loaded, request.commandId);
    const { open: command } = head;
    const { lane, orderNumber, seenFactId } = loaded;
    if (orderNumber === null) return [];
    const at = new Date(this.clock.now()).toISOString();
    if (request.orderId === null) {
      const progress = JSON.stringify(withPdfCheckAsked(head.progress, at));
      return [{ command, outcome: { kind: 'wait', progress } }];
    }
    const marker = { at, seenFactId, before: statusBefore(loaded, 'pdf') };
    const wait = { kind: 'wait', progress: JSON.stringify(withPdfAsked(head.progress, marker)) } as const;
    const isFirst = command.deadlineAt === null;
    const outcome = isFirst
      ? { ...wait, attempt: { kind: 'made', deadlineMs: this.tenants.of(lane.tenant).deadlines.invoiceMs } as const }
      : wait;
    return [{ command, outcome }];
  }

  async #saveBeside(tx: Tx, saved: readonly SavedStep<OrderStep>[], time: string, rows: NewRows): Promise<OutRecord[]> {
    const orders = saved.flatMap(({ step: { loaded, plan }, concluded }) => {
      const added = plan.concluded.flatMap(({ commandId }) => {
        const { open, traceparent } = headOf(loaded, commandId);
        const result = concluded.get(open.id);
        return result === undefined ? [] : rememberUnconfirmed(result, traceparent);
      });
      return rowAfter(loaded, plan, added) ?? [];
    });
    this.orders.save(rows, orders);
    await this.facts.insert(
      tx,
      saved.flatMap(({ step }) => releasesOf(step)),
    );
    this.history.add(
      rows,
      saved.flatMap((each) => publishedBy(each, new Date(time))),
    );
    await this.#eraseConcluded(tx, saved);
    const publishing = saved.filter(({ step: { plan } }) => plan.events.length > 0);
    const newest = await this.facts.newestReceipts(
      tx,
      publishing.flatMap(({ step: { lane } }) => (this.modes.tenants.has(lane.tenant) ? [lane.id] : [])),
    );
    return saved.flatMap(({ step }) => recordsOf(step, time, newest.get(step.lane.id)));
  }

  /**
   * Erases concluded commands whose content nobody may still have: of an order that is erased, also if they arrived
   * after that, and those that name no order, which no erasure would find. A repeat is recognised without it.
   */
  async #eraseConcluded(tx: Tx, saved: readonly SavedStep<OrderStep>[]): Promise<void> {
    for (const { step, concluded, isErased } of saved) {
      const { lane, orderNumber } = step.loaded;
      if (isErased || (orderNumber === null && concluded.size > 0))
        await this.commands.eraseContent(tx, lane.id, FISCAL_COMMANDS);
    }
  }
}

/**
 * Links the trace of a command and those of its operations' notifications, which begin at the platform: it sends no
 * `traceparent` back.
 */
function relateTraces({ traceparent }: LoadedHead, operationIds: readonly string[], { state }: LoadedLane): void {
  if (!tracing.isOn) return;
  for (const fact of state?.facts ?? []) {
    if (fact.operationId !== null && operationIds.includes(fact.operationId))
      tracing.relate(traceparent, fact.traceparent);
  }
}

/**
 * Records of a step: the order's events and its request to file-gateway.
 *
 * @param cameAt when the newest fact came that the events tell; undefined: no fact is their cause
 */
function recordsOf({ loaded, plan }: PlannedLane, time: string, cameAt: number | undefined): OutRecord[] {
  const { lane, orderNumber, values, platform, skus } = loaded;
  const { tenant } = lane;
  const order = values === null ? null : withSkus(values, skus);
  const about = { tenant, time, platform, unread: plan.events.length === 0 ? [] : unreadFields(loaded.order) };
  const events = plan.events.flatMap(({ traceparent, ...each }) =>
    order === null
      ? []
      : [
          {
            ...eventRecord({ ...each, traceparent: tracing.within(traceparent) }, { ...about, order }),
            ...(cameAt !== undefined && { cameAt }),
          },
        ],
  );
  if (plan.pdf === null || orderNumber === null) return events;
  const { traceparent, open } = headOf(loaded, plan.pdf.commandId);
  return [...events, pdfRecord(plan.pdf, { tenant, cameAt: cameAtOf(open), orderNumber, traceparent })];
}

/** History entries of a step's events and results; corrections come first, as they are published. */
function publishedBy({ step, concluded }: SavedStep<OrderStep>, at: Date) {
  const { lane, plan, corrections = [] } = step;
  const { id: laneId, tenant } = lane;
  const number = Number(orderNumberOf(lane));
  return [
    ...corrections.map((late) => publishedCorrection(late, tenant, at)),
    ...[...concluded.values()].map((result) => publishedResult(result, at)),
    ...plan.events.map((event) => publishedEvent(event, orderEventKey(tenant, number, event.revision), at)),
  ].map((record) => ({ laneId, ...record }));
}

function releasesOf({ loaded: { lane, orderNumber }, plan: { release } }: PlannedLane) {
  if (release === null || orderNumber === null) return [];
  return [{ ...newReleaseFact(release, { tenant: lane.tenant, orderNumber }), laneId: lane.id }];
}
