import { Commands, type OpenCommand } from '@gondola/lanes/commands/commands';
import { Lanes } from '@gondola/lanes/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import { orderStatus } from '@gondola/shared/orders/order-statuses';
import { platformMoment } from '@gondola/shared/time';
import { Injectable } from '@nestjs/common';
import { progressFromText } from '../commands/command-progress.ts';
import { type PublishedRecord, PublishedRecordsRepository } from '../orders/published-records.repository.ts';
import { OrderFactsRepository } from '../facts/order-facts.repository.ts';
import type { FactSummary } from '../facts/order-fact.ts';
import { orderLane } from '../facts/order-lane.ts';
import { foldFacts, type OrderState, statusOf } from '../facts/order-state.ts';
import { ORDER_COMMANDS } from '../orders/order-topics.ts';
import { type OrderValues, readOrderValues } from '../facts/order-values.ts';
import { orderRowOf, OrdersRepository } from '../orders/orders.repository.ts';
import { newRow } from '../orders/order-row.ts';
import { factsWithValues, knownOrder } from '../facts/known-order.ts';
import { withSkus } from '../skus/match-skus.ts';
import { SkusRepository } from '../skus/skus.repository.ts';
import { maskPeople } from './mask-people.ts';
import { OPEN_FIELDS } from './people.dto.ts';
import { requestedByOf } from './operator-command.ts';
import { orderTimeline, type TimelineCommand } from './order-timeline.ts';
import type { ShownCounts, ShownOrder } from './orders.dto.ts';
import { shownCommand } from './shown-command.ts';

const MAX_OPEN_SHOWN = 50;
const MAX_PUBLISHED_SHOWN = 500;

/** Reads the state of an order, its history, and the reasons why its open commands wait. */
@Injectable()
export class ShowOrder {
  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly commands: Commands,
    private readonly facts: OrderFactsRepository,
    private readonly orders: OrdersRepository,
    private readonly skus: SkusRepository,
    private readonly history: PublishedRecordsRepository,
  ) {}

  /** Null if neither a fact nor a command ever named the order. `reveal` shows its personal data unmasked. */
  async show(tenant: string, orderNumber: string, reveal: boolean): Promise<ShownOrder | null> {
    const lane = await this.lanes.find(orderLane(tenant, orderNumber));
    if (lane === null) return null;
    const { id: laneId } = lane;
    const [all, facts, open, published] = await Promise.all([
      this.facts.ofLanes([laneId]),
      this.facts.summariesOf(laneId),
      this.commands.open(this.database, laneId, MAX_OPEN_SHOWN),
      this.history.newestOf(laneId, MAX_PUBLISHED_SHOWN),
    ]);
    const { facts: known = [], row } = all.get(laneId) ?? {};
    const state = foldFacts(known);
    const status = state === null ? null : statusOf(state);
    const { published: newest, openSteps } = orderRowOf(row) ?? newRow({ id: laneId, tenant, identity: orderNumber });
    const { revision, status: publishedStatus, attention } = newest;
    const shown = { revision, status: publishedStatus === null ? null : orderStatus(publishedStatus) };
    const values = await this.#values(state, tenant, Number(orderNumber));
    return {
      tenant,
      orderNumber,
      orderId: state?.orderId ?? null,
      status: status === null ? null : orderStatus(status),
      paid: state?.paid ?? false,
      published: shown,
      told: shown,
      attention,
      openSteps,
      ...shownValues(values, reveal),
      facts: facts.map(shownFact),
      openCommands: open.map((command, index) => shownCommand(command, open.slice(0, index))),
      timeline: orderTimeline({ facts, published, commands: await this.#ofTimeline(tenant, open, published) }),
    };
  }

  /** True if a fact or a command ever named the order. */
  async isNamed(tenant: string, orderNumber: string): Promise<boolean> {
    return (await this.lanes.find(orderLane(tenant, orderNumber))) !== null;
  }

  /** The order's GUID, null if no fact has it; undefined if neither a fact nor a command ever named the order. */
  async idOf(tenant: string, orderNumber: string): Promise<string | null | undefined> {
    const lane = await this.lanes.find(orderLane(tenant, orderNumber));
    if (lane === null) return undefined;
    const facts = (await this.facts.ofLanes([lane.id])).get(lane.id)?.facts ?? [];
    return foldFacts(facts)?.orderId ?? null;
  }

  /** Counts of a tenant, or of all (null). */
  async counts(tenant: string | null): Promise<ShownCounts> {
    const [counts, open] = await Promise.all([
      this.orders.counts(tenant),
      this.commands.countOpen(this.database, tenant),
    ]);
    const byName = Map.groupBy(open, ({ command }) => command);
    const openCommands = [...byName]
      .map(([command, its]) => ({ command, open: its.reduce((sum, count) => sum + count.open, 0) }))
      .toSorted((one, other) => (one.command < other.command ? -1 : 1));
    return { ...counts, openCommands };
  }

  /** Open commands and those with a published result. */
  async #ofTimeline(
    tenant: string,
    open: readonly OpenCommand[],
    published: readonly PublishedRecord[],
  ): Promise<TimelineCommand[]> {
    const isOpen = new Set(open.map(({ commandId }) => commandId));
    const ids = new Set(published.flatMap(({ kind, commandId }) => (kind === 'result' ? (commandId ?? []) : [])));
    const ended = await this.commands.named(this.database, tenant, ORDER_COMMANDS, [...ids.difference(isOpen)]);
    return [...open, ...ended].map((each) => ({
      ...each,
      requestedBy: requestedByOf(each),
      progress: progressFromText(each.progress),
    }));
  }

  /** The order's values with items resolved as in an event (rule 11). */
  async #values(state: OrderState | null, tenant: string, orderNumber: number): Promise<OrderValues | null> {
    const order = knownOrder(state, await this.facts.contentsOf(factsWithValues(state)));
    if (order === null) return null;
    const values = readOrderValues(order, orderNumber);
    const named = { values, namedSkus: [] };
    return withSkus(values, (await this.skus.ofOrders(tenant, [named]))(named));
  }
}

/** With its time as other programs read it; the timeline has it as the platform writes it. */
function shownFact(fact: FactSummary): FactSummary {
  return { ...fact, updatedAt: platformMoment(fact.updatedAt)?.text ?? null };
}

function shownValues(order: OrderValues | null, reveal: boolean): Pick<ShownOrder, 'values' | 'people'> {
  if (order === null) return { values: null, people: null };
  const { createdAt, updatedAt, fulfilment, totals, items, customer, address, payments } = order;
  const people = { customer, address, payments };
  return {
    values: { createdAt, updatedAt, fulfilment, totals, items },
    people: reveal ? people : maskPeople(people, OPEN_FIELDS),
  };
}
