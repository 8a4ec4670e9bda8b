import type { Commands } from '@gondola/messaging/commands';
import type { ClaimedLane, Lanes, NextDue } from '@gondola/messaging/lanes';
import type { Outbox } from '@gondola/messaging/outbox';
import type { OutRecord } from '@gondola/messaging/record-codec';
import type { Tx } from '@gondola/service-kit/database';
import type { Result } from '@gondola/shared/result';
import type { LanePlan } from '../domain/lane-plan.ts';
import { endResult } from '../domain/order-result.ts';
import { statusOf } from '../domain/order-state.ts';
import type { LoadedLane } from './load-order-lanes.ts';
import { eventRecord, resultRecord } from './order-records.ts';
import type { OrderReport } from './order-report.ts';
import type { OrderRow, OrderStore } from './order-stores.ts';

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
  readonly now: () => number;
}

/** What was told by one transaction. */
interface Saved {
  readonly records: OutRecord[];
  readonly results: Result[];
}

/** Ends steps that call nobody: news, outcome, what was told and the lane's next due time in one transaction (mechanisms 2, 3). */
export class SaveOrderLanes {
  readonly #options: SaveOrderLanesOptions;

  constructor(options: SaveOrderLanesOptions) {
    this.#options = options;
  }

  async save(planned: readonly PlannedLane[]): Promise<void> {
    if (planned.length === 0) return;
    const { lanes, report } = this.#options;
    let saved: Saved = { records: [], results: [] };
    await lanes.finish(
      planned.map(({ loaded }) => loaded.lane),
      async (tx, held) => {
        saved = { records: [], results: [] };
        return this.#saveHeld(tx, held, planned, saved);
      },
    );
    report.saved(saved);
  }

  async #saveHeld(
    tx: Tx,
    held: readonly ClaimedLane[],
    planned: readonly PlannedLane[],
    saved: Saved,
  ): Promise<NextDue> {
    const heldIds = new Set(held.map(({ id }) => id));
    const mine = planned.filter(({ loaded }) => heldIds.has(loaded.lane.id));
    for (const each of mine) await this.#end(tx, each, saved);
    const { orders, outbox, now } = this.#options;
    const time = new Date(now()).toISOString();
    saved.records.push(...mine.flatMap((each) => newsRecords(each, time)));
    await orders.save(tx, mine.flatMap(changedRow));
    await outbox.append(tx, saved.records);
    return new Map(
      mine.map(({ loaded, plan }) => [loaded.lane.id, plan.dueInMs === null ? null : { inMs: plan.dueInMs }]),
    );
  }

  async #end(tx: Tx, { loaded, plan }: PlannedLane, saved: Saved): Promise<void> {
    const { open, head, orderNumber } = loaded;
    if (plan.end === null || open === null || head === null) return;
    const time = new Date(this.#options.now()).toISOString();
    const result = endResult({ ...open, orderNumber, time, progress: head.progress }, plan.end);
    // An outcome is given once: where there is one already, nothing is told a second time (guarantee 3).
    if (!(await this.#options.commands.finish(tx, open.id, plan.end.conclusion.outcome, result.id))) return;
    saved.results.push(result);
    saved.records.push(resultRecord(result, orderNumber, open.traceparent));
  }
}

function newsRecords({ loaded, plan }: PlannedLane, time: string): OutRecord[] {
  const { lane, values: order, platform } = loaded;
  if (order === null) return [];
  return plan.news.map((news) => eventRecord(news, { tenant: lane.tenant, time, order, platform }));
}

/** The order's row where it says something new. */
function changedRow({ loaded: { row, state }, plan }: PlannedLane): OrderRow[] {
  if (row === null || state === null) return [];
  const next: OrderRow = { ...row, orderId: state.orderId, status: statusOf(state), told: plan.told };
  const isSame = next.orderId === row.orderId && next.status === row.status && next.told === row.told;
  return isSame ? [] : [next];
}
