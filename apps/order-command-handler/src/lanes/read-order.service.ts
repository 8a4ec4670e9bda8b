import type { ReadAnswer, Unavailable } from '@gondola/platform-client/answers';
import type { ShownInvoice } from '@gondola/platform-client/read-answers';
import { isNotSent } from '@gondola/shared/commands/attempts';
import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import { type SaveBeside, type StepGuard, StepSaver } from '@gondola/lanes/commands/step-saver';
import type { LaneStep } from '@gondola/lanes/commands/step-outcome';
import type { DoubtedStatus, OrderWatch } from '../orders/order-row.ts';
import {
  type CommandProgress,
  type PayloadPurpose,
  type ReadPurpose,
  withFailedRead,
  withoutCall,
  withPayload,
  withRead,
  withStatuslessRead,
} from '../commands/command-progress.ts';
import type { NewFact } from '../facts/order-fact.ts';
import { watchOfDoubt } from './order-watch.ts';
import {
  type Asked,
  believedStatus,
  isOtherStatus,
  isOutdated,
  isStatusless,
  type JudgedRead,
  judgeRead,
  newFacts,
  readAgainInMs,
} from './reading-facts.ts';
import { ORDER_LANE_RESULTS } from '../orders/order-topics.ts';
import type { LoadedHead, LoadedLane } from './load-order-lanes.service.ts';
import type { CallOptions, OrderRef, Payload, Shown } from '../platform/order-calls.ts';
import { OrderFactsRepository } from '../facts/order-facts.repository.ts';
import type { OrderRow } from '../orders/order-row.ts';
import { OrdersRepository } from '../orders/orders.repository.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';

interface Reading {
  readonly facts: readonly NewFact[];
  readonly command?: { readonly head: LoadedHead; readonly progress: CommandProgress };
  readonly row?: OrderRow;
  /** Default 0. */
  readonly dueInMs?: number;
}

/**
 * Reads an order's status or payload. A read with new content is stored as a fact like a notification (guarantee 4),
 * and with the command that it was made for; the next step uses it. A read that a newer fact overtook is dropped, and
 * so is a read of an order that was erased meanwhile. What the platform's stores show late says nothing, to events and
 * to commands (`reading-facts.ts`).
 */
@Injectable()
export class ReadOrder {
  constructor(
    private readonly saver: StepSaver,
    private readonly facts: OrderFactsRepository,
    private readonly orders: OrdersRepository,
    private readonly platform: PlatformAdapter,
    private readonly clock: Clock,
  ) {}

  /** Reads the status for an open command; the payload, too, where that tells none, which is 1300. */
  async status(loaded: LoadedLane, head: LoadedHead, purpose: ReadPurpose, call: CallOptions): Promise<void> {
    const at = this.#now();
    const answer = await this.platform.readStatus(orderOf(loaded), call);
    if (answer.kind === 'unavailable') return this.#unavailable(loaded, answer, head);
    const shown = answer.kind === 'found' ? answer.value : null;
    const isFound = answer.kind === 'found';
    const payload = isFound && shown === null ? await this.#payloadBeside(loaded, call) : null;
    const { facts, doubted } = await this.#judged(loaded, { payload, status: shown }, { at, ...call });
    const isTold = !isFound || !isStatusless(loaded.state, { payload, status: shown });
    const againInMs = isTold ? null : readAgainInMs(head.progress, purpose, at);
    const status = isFound ? believedStatus(loaded.state, facts) : null;
    const progress =
      againInMs === null ? withRead(head.progress, { purpose, at, status }) : withStatuslessRead(head.progress, at);
    const dueInMs = againInMs ?? 0;
    await this.#store(loaded, { command: { head, progress }, facts, dueInMs, ...this.#doubt(loaded, doubted, at) });
  }

  /** Reads the payload for an open command and stores its invoice facts with the command (rules 16–18). */
  async payload(loaded: LoadedLane, head: LoadedHead, purpose: PayloadPurpose, call: CallOptions): Promise<void> {
    const at = this.#now();
    const answer = await this.platform.readPayload(orderOf(loaded), call);
    if (answer.kind === 'unavailable') return this.#unavailable(loaded, answer, head);
    const { kind } = answer;
    const nothing = { price: null, invoices: [], attached: false };
    const payload = kind === 'found' ? answer.value : null;
    const isOld = payload !== null && isOutdated(loaded.state, payload);
    const { price, invoices, attached } = payload === null || isOld ? nothing : payload;
    const progress = withPayload(head.progress, { purpose, at, kind, price, ...registrationIn(invoices), attached });
    const facts = newFacts(loaded, { payload, status: null }, { at, ...call }, loaded.row.watch?.doubted);
    await this.#store(loaded, { command: { head, progress }, facts });
  }

  /**
   * Reads for no command: the status of an order that stays in 750, where a changed status concludes an open cancel
   * like an event; the state of an order whose 300 is missing.
   */
  async watch(loaded: LoadedLane, watch: OrderWatch, call: CallOptions): Promise<void> {
    const { row } = loaded;
    const at = this.#now();
    const answer = await this.#forWatch(loaded, watch, call);
    if (answer.kind === 'unavailable') return this.#unavailable(loaded, answer, null);
    const watched = { ...watch, at, count: watch.count + 1 };
    const read = { ...loaded, row: { ...row, watch: watched } };
    const shown = answer.kind === 'found' ? answer.value : { payload: null, status: null };
    const { facts, doubted } = await this.#judged(read, shown, { at, ...call });
    const { row: doubting = read.row } = this.#doubt(read, doubted, at);
    await this.#store(loaded, { row: doubting, facts });
  }

  async #forWatch(loaded: LoadedLane, { reads }: OrderWatch, call: CallOptions): Promise<ReadAnswer<Shown>> {
    const order = orderOf(loaded);
    if (reads === 'payload') return this.platform.readState(order, call);
    const answer = await this.platform.readStatus(order, call);
    return answer.kind === 'found' ? { kind: 'found', value: { payload: null, status: answer.value } } : answer;
  }

  /** Another status than the known one has no date: the payload that is read with it has. */
  async #judged(loaded: LoadedLane, { payload, status }: Shown, asked: Asked & CallOptions): Promise<JudgedRead> {
    const isBeside = payload === null && isOtherStatus(loaded.state, status);
    const beside = isBeside ? await this.#payloadBeside(loaded, asked) : payload;
    return judgeRead(loaded, { payload: beside, status }, asked, loaded.row.watch?.doubted ?? null);
  }

  async #payloadBeside(loaded: LoadedLane, asked: CallOptions): Promise<Payload | null> {
    asked.signal.throwIfAborted();
    const answer = await this.platform.readPayload(orderOf(loaded), asked);
    return answer.kind === 'found' ? answer.value : null;
  }

  #doubt({ state, row }: LoadedLane, doubted: DoubtedStatus | null, at: string): { readonly row?: OrderRow } {
    const watch = watchOfDoubt(state, row.watch, doubted, at);
    return watch === row.watch ? {} : { row: { ...row, watch } };
  }

  async #unavailable({ lane }: LoadedLane, answer: Unavailable, head: LoadedHead | null): Promise<void> {
    const failed = isNotSent(answer) ? withoutCall : withFailedRead;
    const commands = head === null ? [] : [waiting(head, failed(head.progress, answer.cause, this.#now()))];
    await this.saver.save(ORDER_LANE_RESULTS, [{ lane, commands, dueInMs: answer.retryAfterMs }]);
  }

  async #store(loaded: LoadedLane, { command, facts, row, dueInMs = 0 }: Reading): Promise<void> {
    const { lane, seenFactId } = loaded;
    const step = { lane, commands: command === undefined ? [] : [waiting(command.head, command.progress)], dueInMs };
    const beside: SaveBeside<LaneStep> = async (tx, saved, _time, rows) => {
      if (saved.length === 0) return [];
      if (row !== undefined) this.orders.save(rows, [row]);
      await this.facts.insert(
        tx,
        facts.map((fact) => ({ ...fact, laneId: lane.id })),
      );
      return [];
    };
    const isAsLoaded: StepGuard<LaneStep> = async (tx, steps) => {
      const isOvertaken = await this.facts.hasNewer(tx, lane.id, seenFactId);
      return isOvertaken || (await this.facts.erasedSince(tx, [loaded])).size > 0 ? [] : steps;
    };
    await this.saver.save(ORDER_LANE_RESULTS, [step], beside, isAsLoaded);
  }

  #now(): string {
    return new Date(this.clock.now()).toISOString();
  }
}

/** `registered` is stored beside the invoices: an earlier version, after a roll-back, knows only this. */
function registrationIn(invoices: readonly ShownInvoice[]) {
  return { registered: invoices.length > 0, invoices };
}

function orderOf({ lane, orderNumber }: LoadedLane): OrderRef {
  if (orderNumber === null) throw new Error('Only a lane with an order number can be read');
  return { tenant: lane.tenant, orderNumber };
}

/** Outcome of a step whose command stays open with new progress. */
export function waiting({ open: command }: LoadedHead, progress: CommandProgress): LaneStep['commands'][number] {
  return { command, outcome: { kind: 'wait', progress: JSON.stringify(progress) } };
}
