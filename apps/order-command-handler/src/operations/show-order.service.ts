import { Injectable } from '@nestjs/common';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { Commands } from '@gondola/messaging/commands/commands';
import { Lanes } from '@gondola/messaging/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import { parseRecord } from '@gondola/shared/json/json-digits';
import type { OrderValues } from '../orders/order-values.ts';
import { type CodeAndName, orderStatus } from '@gondola/shared/orders/order-statuses';
import { progressFromText, type CommandProgress } from '../commands/command-progress.ts';
import { withSkus } from '../skus/match-skus.ts';
import { type OrderState, foldFacts, statusOf } from '../orders/order-state.ts';
import { readOrderValues } from '../orders/order-values.ts';
import { NOTHING_PUBLISHED } from '../orders/published-state.ts';
import { type FactSummary, OrderFactsRepository } from '../notifications/order-facts.repository.ts';
import { type OrderCounts, OrdersRepository } from '../orders/orders.repository.ts';
import { SkusRepository } from '../skus/skus.repository.ts';
import { orderLane } from '../orders/order-lane.ts';
import { skuQuery } from '../skus/sku-query.ts';

/** An order for operators: nothing of its customer, address or payments. */
export interface ShownOrder {
  readonly tenant: string;
  readonly orderNumber: string;
  readonly orderId: string | null;
  readonly status: CodeAndName | null;
  /** A 300 is known. */
  readonly paid: boolean;
  readonly told: { readonly revision: number; readonly status: CodeAndName | null };
  readonly values: Pick<OrderValues, 'createdAt' | 'updatedAt' | 'fulfilment' | 'totals' | 'items'> | null;
  /** Oldest first. */
  readonly facts: readonly FactSummary[];
  /** Oldest first. */
  readonly openCommands: readonly ShownCommand[];
}

export interface ShownCommand {
  readonly commandId: string;
  readonly command: string;
  readonly receivedAt: string;
  readonly attempts: number;
  readonly firstSentAt: string | null;
  readonly deadlineAt: string | null;
  readonly operationIds: readonly string[];
  readonly waits: Awaited;
}

export interface ShownCounts extends OrderCounts {
  readonly openCommands: ReadonlyArray<{ readonly command: string; readonly open: number }>;
}

const MAX_OPEN_SHOWN = 50;

/** What is known of one order, what was published of it, and what its open commands wait for. */
@Injectable()
export class ShowOrder {
  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly commands: Commands,
    private readonly facts: OrderFactsRepository,
    private readonly orders: OrdersRepository,
    private readonly skus: SkusRepository,
  ) {}

  /** Null where neither a fact nor a command ever named the order. */
  async show(tenant: string, orderNumber: string): Promise<ShownOrder | null> {
    const lane = await this.lanes.find(orderLane(tenant, orderNumber));
    if (lane === null) return null;
    const { id: laneId } = lane;
    const [all, summaries, rows, openCommands] = await Promise.all([
      this.facts.ofLanes([laneId]),
      this.facts.summariesOf(laneId),
      this.orders.ofLanes([laneId]),
      this.#openCommands(laneId),
    ]);
    const state = foldFacts(all.get(laneId) ?? []);
    const status = state === null ? null : statusOf(state);
    const { revision, status: publishedStatus } = rows.get(laneId)?.published ?? NOTHING_PUBLISHED;
    return {
      tenant,
      orderNumber,
      orderId: state?.orderId ?? null,
      status: status === null ? null : orderStatus(status),
      paid: state?.paid ?? false,
      told: { revision, status: publishedStatus === null ? null : orderStatus(publishedStatus) },
      values: await this.#values(state, tenant, Number(orderNumber)),
      facts: summaries,
      openCommands,
    };
  }

  async counts(): Promise<ShownCounts> {
    const [counts, open] = await Promise.all([this.orders.counts(), this.commands.countOpen(this.database)]);
    const byName = Map.groupBy(open, ({ command }) => command);
    const openCommands = [...byName]
      .map(([command, its]) => ({ command, open: its.reduce((sum, count) => sum + count.open, 0) }))
      .toSorted((one, other) => (one.command < other.command ? -1 : 1));
    return { ...counts, openCommands };
  }

  async #openCommands(laneId: string): Promise<ShownCommand[]> {
    const open = await this.commands.open(this.database, laneId, MAX_OPEN_SHOWN);
    return open.map((each, index) => {
      const progress = progressFromText(each.progress);
      const { commandId, command, queue, receivedAt, firstSentAt, deadlineAt } = each;
      const before = open.slice(0, index).findLast((other) => other.queue === queue);
      const waits = awaitedBy(progress, before?.commandId ?? null);
      const operationIds = operationIdsOf(progress);
      const attempts = progress.sendings.length;
      return { commandId, command, receivedAt, attempts, firstSentAt, deadlineAt, operationIds, waits };
    });
  }

  /** Items as an event would name them now (rule 11). */
  async #values(state: OrderState | null, tenant: string, orderNumber: number): Promise<ShownOrder['values']> {
    const factId = state?.valuesFact?.id;
    if (factId === undefined) return null;
    const data = parseRecord((await this.facts.dataOf([factId])).get(factId));
    if (data === null) return null;
    const values = readOrderValues(data, orderNumber);
    const skus = await this.skus.find(tenant, skuQuery([{ values, heads: [] }]));
    const { createdAt, updatedAt, fulfilment, totals, items } = withSkus(values, skus);
    return { createdAt, updatedAt, fulfilment, totals, items };
  }
}

/** What an open command waits for, in the words of the operations API. */
type Awaited =
  /** Its lane's turn. */
  | { readonly for: 'turn' }
  /** The command before it (rule 19). */
  | { readonly for: 'earlier-command'; readonly commandId: string }
  /** The platform cannot be called: `cause` is `credentials`, `throttled`, `connection-refused`, `paused` … */
  | { readonly for: 'platform-available'; readonly cause: string }
  /** The file gateway's answer about the invoice's PDF: whether it can be attached, or that it is. */
  | { readonly for: 'pdf' }
  /** The platform's outcome, until the deadline. */
  | { readonly for: 'outcome' }
  /** A reading of the status, since an answer was lost or a refusal is to be checked. */
  | { readonly for: 'reading' };

function awaitedBy(progress: CommandProgress, earlierCommandId: string | null): Awaited {
  if (earlierCommandId !== null) return { for: 'earlier-command', commandId: earlierCommandId };
  if (progress.blocked !== null) return { for: 'platform-available', cause: progress.blocked };
  const isChecking = progress.pdfCheckAsked !== null && progress.sendings.length === 0;
  if ((isChecking || progress.pdfAsked !== null) && progress.read === null) return { for: 'pdf' };
  const answer = progress.sendings.at(-1)?.answer;
  if (answer === undefined) return { for: 'turn' };
  return { for: answer.kind === 'accepted' ? 'outcome' : 'reading' };
}
