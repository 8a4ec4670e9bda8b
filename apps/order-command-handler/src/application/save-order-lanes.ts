import type { Commands } from '@gondola/messaging/commands/commands';
import type { ClaimedLane, Lanes, NextDue } from '@gondola/messaging/lanes/lanes';
import type { Outbox } from '@gondola/messaging/outbox/outbox';
import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import { resultRecord } from '@gondola/messaging/codec/result-record';
import type { Tx } from '@gondola/service-kit/database/database';
import type { Language } from '@gondola/shared/results/reason-codes';
import type { Result } from '@gondola/shared/results/result';
import { type UnconfirmedCommand, rememberUnconfirmed } from '../domain/corrections.ts';
import { withPdfAsked, withPdfCheckAsked } from '../domain/command-progress.ts';
import type { CommandEnd, LanePlan, PdfRequest } from '../domain/lane-plan.ts';
import { attemptsOf, correctionResult, endResult, ORDER_RESULTS } from '../domain/order-result.ts';
import { withSkus } from '../domain/match-skus.ts';
import { statusOf } from '../domain/order-state.ts';
import type { LoadedHead, LoadedLane } from './load-order-lanes.ts';
import { eventRecord, pdfRecord } from './order-records.ts';
import type { OrderReport } from './order-report.ts';
import type { OrderRow, OrderStore } from './order-stores.ts';
import { statusBefore } from './send-change.ts';

/** A lane and what is to be done with it. */
export interface PlannedLane {
  readonly loaded: LoadedLane;
  readonly plan: LanePlan;
}

export interface SaveOrderLanesOptions {
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly outbox: Outbox;
  readonly orders: OrderStore;
  readonly report: OrderReport;
  readonly language: Language;
  /** From the first step of an invoice. */
  readonly invoiceMs: number;
  readonly now: () => number;
}

/** What one lane's step tells, and its order's row afterwards. */
interface Telling {
  readonly records: readonly OutRecord[];
  readonly results: readonly Result[];
  readonly row: OrderRow | null;
}

/**
 * Ends steps that call nobody: news, outcome, what was told and the lane's next due time in one transaction (mechanisms
 * 2, 3).
 */
export class SaveOrderLanes {
  readonly #options: SaveOrderLanesOptions;

  constructor(options: SaveOrderLanesOptions) {
    this.#options = options;
  }

  async save(planned: readonly PlannedLane[]): Promise<void> {
    if (planned.length === 0) return;
    const lanes = planned.map(({ loaded }) => loaded.lane);
    let tellings: readonly Telling[] = [];
    await this.#options.lanes.finish(lanes, async (tx, held) => {
      const mine = heldOf(planned, held);
      tellings = await this.#tell(tx, mine);
      return nextDue(mine);
    });
    this.#options.report.saved(tellings);
  }

  async #tell(tx: Tx, mine: readonly PlannedLane[]): Promise<readonly Telling[]> {
    const { orders, outbox, now } = this.#options;
    const time = new Date(now()).toISOString();
    const tellings: Telling[] = [];
    for (const each of mine) tellings.push(await this.#tellingOf(tx, each, time));
    await orders.save(
      tx,
      tellings.flatMap(({ row }) => row ?? []),
    );
    await outbox.append(
      tx,
      tellings.flatMap(({ records }) => records),
    );
    return tellings;
  }

  async #tellingOf(tx: Tx, { loaded, plan }: PlannedLane, time: string): Promise<Telling> {
    const { lane, orderNumber, values, platform } = loaded;
    const order = values === null ? null : withSkus(values, loaded.skus);
    const { tenant } = lane;
    const revision = loaded.row?.told.revision || null;
    const about = { tenant, orderNumber, time, language: this.#options.language, revision };
    const corrections = plan.corrections.map((correction) => ({
      result: correctionResult(about, correction),
      traceparent: correction.unconfirmed.traceparent,
    }));
    const ends: Ended[] = [];
    for (const end of plan.ends) ends.push(...(await this.#end(tx, loaded, end, time)));
    const told = [...corrections, ...ends];
    const news = order === null ? [] : plan.news.map((each) => eventRecord(each, { tenant, time, order, platform }));
    const pdf = plan.pdf === null ? [] : await this.#askPdf(tx, loaded, plan.pdf, time);
    return {
      records: [
        ...told.map(({ result, traceparent }) => resultRecord(ORDER_RESULTS, result, traceparent)),
        ...news,
        ...pdf,
      ],
      results: told.map(({ result }) => result),
      row: changedRow(
        loaded,
        plan,
        ends.flatMap(({ unconfirmed }) => unconfirmed),
      ),
    };
  }

  /**
   * Ends a command. An outcome is given once: where there is one already, nothing is told a second time (guarantee 3).
   */
  async #end(tx: Tx, { heads, orderNumber }: LoadedLane, end: CommandEnd, time: string): Promise<Ended[]> {
    const { open, head } = headOf(heads, end.commandId);
    const { progress } = head;
    const result = endResult({ ...open, orderNumber, time, progress, attempts: attemptsOf(head) }, end);
    if (!(await this.#options.commands.finish(tx, open.id, end.conclusion.outcome, result.id))) return [];
    const { traceparent } = open;
    return [{ result, traceparent, unconfirmed: rememberUnconfirmed(result, head.content, traceparent) }];
  }

  /**
   * That the file gateway is asked is written down with the record that asks it: once, whatever happens then (rule 15).
   */
  async #askPdf(tx: Tx, loaded: LoadedLane, request: PdfRequest, time: string): Promise<OutRecord[]> {
    const { commands, invoiceMs } = this.#options;
    const { lane, heads, orderNumber, seenFactId } = loaded;
    const { open, head } = headOf(heads, request.commandId);
    if (orderNumber === null) return [];
    const asked =
      request.orderId === null
        ? withPdfCheckAsked(head.progress, time)
        : withPdfAsked(head.progress, { at: time, seenFactId, before: statusBefore(loaded, 'pdf') });
    // The question alone starts no deadline: nothing is sent by it.
    if (asked.pdfAsked !== null && open.deadlineAt === null) await commands.markSending(tx, [open.id], invoiceMs);
    await commands.saveProgress(tx, open.id, JSON.stringify(asked));
    return [pdfRecord(request, { tenant: lane.tenant, time, orderNumber, traceparent: open.traceparent })];
  }
}

interface Ended {
  readonly result: Result;
  readonly traceparent: string;
  readonly unconfirmed: readonly UnconfirmedCommand[];
}

function headOf(heads: readonly LoadedHead[], commandId: string): LoadedHead {
  const found = heads.find(({ open }) => open.commandId === commandId);
  if (found === undefined) throw new Error('A plan is about a command that was not loaded');
  return found;
}

function heldOf(planned: readonly PlannedLane[], held: readonly ClaimedLane[]): PlannedLane[] {
  const ids = new Set(held.map(({ id }) => id));
  return planned.filter(({ loaded }) => ids.has(loaded.lane.id));
}

function nextDue(planned: readonly PlannedLane[]): NextDue {
  return new Map(
    planned.map(({ loaded, plan: { dueInMs } }) => [loaded.lane.id, dueInMs === null ? null : { inMs: dueInMs }]),
  );
}

/** The order's row where it says something new; null where it stays as it is. */
function changedRow(
  { row, state }: LoadedLane,
  { told, corrections, watch }: LanePlan,
  added: readonly UnconfirmedCommand[],
): OrderRow | null {
  if (row === null || state === null) return null;
  const corrected = new Set(corrections.map(({ unconfirmed }) => unconfirmed));
  const unconfirmed = [...row.unconfirmed.filter((command) => !corrected.has(command)), ...added];
  const next: OrderRow = { ...row, orderId: state.orderId, status: statusOf(state), told, unconfirmed, watch };
  const isSame =
    next.orderId === row.orderId &&
    next.status === row.status &&
    next.told === row.told &&
    next.watch === row.watch &&
    corrected.size === 0 &&
    added.length === 0;
  return isSame ? null : next;
}
