import {
  Commands,
  type HeadCommand as OpenHead,
  type NamedCommand,
  type OpenCommand,
} from '@gondola/lanes/commands/commands';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { OrderValues } from '../facts/order-values.ts';
import { Injectable } from '@nestjs/common';
import { progressFromText } from '../commands/command-progress.ts';
import type { NamedTarget } from '../commands/decision.ts';
import { ORDER_COMMANDS } from '../orders/order-topics.ts';
import type { LanePlan } from './lane-plan.ts';
import { type HeadCommand, type LaneSituation, skusNamedBy } from './lane-situation.ts';
import { areValuesOutdated, type OrderState, foldFacts } from '../facts/order-state.ts';
import { readOrderValues, unknownOrderValues } from '../facts/order-values.ts';
import { pdfCheck, pdfOutcome } from '../pdf-results/pdf-outcome.ts';
import { isSent } from '../commands/unreadable-command.ts';
import { withdrawCommand } from '../commands/immediate-commands.ts';
import { readCommand } from '../commands/read-command.ts';
import { factsWithValues, knownOrder } from '../facts/known-order.ts';
import { orderNumberOf } from '../facts/order-lane.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { OrderFactsRepository } from '../facts/order-facts.repository.ts';
import { newRow } from '../orders/order-row.ts';
import { orderRowOf, OrdersRepository } from '../orders/orders.repository.ts';
import { NOTHING_PUBLISHED } from '../orders/published-state.ts';
import { PdfResultsRepository } from '../pdf-results/pdf-results.repository.ts';
import { SkusRepository } from '../skus/skus.repository.ts';
import { OrderTenants } from './order-tenants.service.ts';

/** A command at the head of its queue, with its row. */
export interface LoadedHead extends HeadCommand {
  readonly open: OpenCommand;
  /** True if no other command waits behind it in its queue. */
  readonly isLast: boolean;
  /** The open command of the order that it may withdraw; null for none. */
  readonly withdrawable: LoadedHead | null;
}

/** An order's lane with all that its step needs: beside the input of its plan, what is called and saved with. */
export interface LoadedLane extends LaneSituation {
  readonly lane: ClaimedLane;
  readonly orderNumber: string | null;
  /** The order in the platform's fields; null while no fact has one. */
  readonly order: JsonRecord | null;
  /** Bytes of the newest notification's content, else of the newest read's. */
  readonly platform: Uint8Array | null;
  /** Id of the newest loaded fact; `0` for none. */
  readonly seenFactId: string;
  /** Facts with personal data in this input: the step is saved only if none of them was erased meanwhile. */
  readonly personal: readonly string[];
  readonly heads: readonly LoadedHead[];
  /** External references of the SKUs that its commands name. */
  readonly namedSkus: readonly string[];
}

export interface PlannedLane {
  readonly loaded: LoadedLane;
  readonly plan: LanePlan;
}

/** A lane's order of which nothing is loaded. */
const NOTHING_KNOWN: Omit<LoadedLane, 'lane' | 'orderNumber' | 'row' | 'heads'> = {
  state: null,
  values: null,
  order: null,
  skus: [],
  namedSkus: [],
  finalPrice: null,
  shownInvoices: [],
  showsPdf: false,
  platform: null,
  seenFactId: '0',
  personal: [],
};

/** The loaded command of a plan or call. */
export function headOf({ heads }: LoadedLane, commandId: string): LoadedHead {
  const all = heads.flatMap((head) => [head, ...(head.withdrawable === null ? [] : [head.withdrawable])]);
  const found = all.find((head) => head.commandId === commandId);
  if (found === undefined) throw new Error('The plan names a command that was not loaded');
  return found;
}

/**
 * Loads the input of several lanes of one tenant in a handful of queries. The lanes are leased, so only new facts can
 * arrive in between.
 */
@Injectable()
export class LoadOrderLanes {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly facts: OrderFactsRepository,
    private readonly orders: OrdersRepository,
    private readonly skus: SkusRepository,
    private readonly pdfResults: PdfResultsRepository,
    private readonly platform: PlatformAdapter,
    private readonly tenants: OrderTenants,
  ) {}

  async load(lanes: readonly ClaimedLane[]): Promise<LoadedLane[]> {
    const [first] = lanes;
    if (first === undefined) return [];
    const { tenant } = first;
    const ids = lanes.map(({ id }) => id);
    const [factsOf, open] = await Promise.all([
      this.facts.ofLanes(ids),
      this.commands.heads(this.database, ids).then((all) => this.#headsOf(tenant, all)),
    ]);
    const stateOf = new Map(ids.map((id) => [id, foldFacts(factsOf.get(id)?.facts ?? [])]));
    const read = new Map([...factsOf.values()].flatMap(({ contents }) => [...contents]));
    const others = [...stateOf.values()].flatMap(factsWithValues).filter((id) => !read.has(id));
    const contents = new Map([...read, ...(await this.facts.contentsOf(others))]);
    const loaded = lanes.map((lane) => {
      const { facts = [], personal = [], row: stored } = factsOf.get(lane.id) ?? {};
      const row = orderRowOf(stored);
      const state = stateOf.get(lane.id) ?? null;
      const orderNumber = orderNumberOf(lane);
      const order = knownOrder(state, contents);
      const invoice = order === null ? null : this.platform.invoiceFactsOf(tenant, order);
      const heads = open.filter(({ open: { laneId } }) => laneId === lane.id);
      return {
        lane,
        orderNumber,
        state,
        values: state === null || orderNumber === null ? null : valuesOf(order, state, Number(orderNumber)),
        order,
        finalPrice: state !== null && areValuesOutdated(state) ? null : (invoice?.price ?? null),
        shownInvoices: invoice?.invoices ?? [],
        showsPdf: invoice?.attached ?? false,
        platform:
          (contents.get(state?.valuesFact?.id ?? '') ?? contents.get(state?.payloadFact?.id ?? ''))?.bytes ?? null,
        row: row ?? newRow(lane),
        seenFactId: newerOf(facts.at(-1)?.id, row?.folded.upTo),
        personal,
        heads,
        namedSkus: heads.flatMap(skusNamedBy),
      };
    });
    const skusOf = await this.skus.ofOrders(tenant, loaded);
    return loaded.map((each) => ({ ...each, skus: skusOf(each) }));
  }

  /**
   * Lanes with a withdrawal whose turn it is, and nothing of their orders but the revision: it is decided by the rows
   * of commands alone.
   */
  async loadWithdrawals(lanes: readonly ClaimedLane[]): Promise<LoadedLane[]> {
    const [first] = lanes;
    if (first === undefined) return [];
    const ids = lanes.map(({ id }) => id);
    const [revisionOf, open] = await Promise.all([this.orders.revisions(ids), this.commands.heads(this.database, ids)]);
    const withdrawals = open.filter(({ queue }) => queue === withdrawCommand.queue);
    const heads = await this.#headsOf(first.tenant, withdrawals);
    return heads.flatMap((head) => {
      const lane = lanes.find(({ id }) => id === head.open.laneId);
      if (lane === undefined) return [];
      const published = { ...NOTHING_PUBLISHED, revision: revisionOf.get(lane.id) ?? 0 };
      const row = { ...newRow(lane), published };
      return [{ ...NOTHING_KNOWN, lane, orderNumber: orderNumberOf(lane), row, heads: [head] }];
    });
  }

  async #headsOf(tenant: string, all: readonly OpenHead[]): Promise<LoadedHead[]> {
    const heads = all.map((open) => ({ ...this.#read(tenant, open), isLast: open.isLast }));
    const asking = heads.filter(({ progress }) => progress.pdfAsked !== null || progress.pdfCheckAsked !== null);
    const [resultsOf, named] = await Promise.all([
      this.pdfResults.ofCommands(
        tenant,
        asking.map(({ commandId }) => commandId),
      ),
      this.commands.named(this.database, tenant, ORDER_COMMANDS, heads.flatMap(referredTo)),
    ]);
    return heads.map((head) => {
      const results = resultsOf.get(head.commandId) ?? [];
      const [id] = referredTo(head);
      const other = named.find(({ laneId, commandId }) => {
        return laneId === head.open.laneId && commandId === id && commandId !== head.commandId;
      });
      return {
        ...head,
        pdfCheck: pdfCheck(results),
        pdfOutcome: pdfOutcome(results),
        named: namedTarget(other),
        withdrawable: other === undefined || other.outcome !== null ? null : this.#read(tenant, other),
      };
    });
  }

  /** A command as its own row has it. */
  #read(tenant: string, open: OpenCommand): LoadedHead {
    const { commandId, traceparent, deadlineInMs, value } = open;
    const nothing = { pdfCheck: null, pdfOutcome: null, named: null, withdrawable: null, isLast: false };
    const judged = readCommand(value, this.tenants.of(tenant));
    const progress = progressFromText(open.progress);
    return { commandId, traceparent, deadlineInMs, judged, progress, open, ...nothing };
  }
}

function referredTo({ judged }: HeadCommand): string[] {
  const named = judged.kind === 'valid' ? judged.definition.refersTo?.(judged.asked) : undefined;
  return named === undefined ? [] : [named];
}

function namedTarget(other: NamedCommand | undefined): NamedTarget | null {
  if (other === undefined) return null;
  return { commandId: other.commandId, outcome: other.outcome, isSent: isSent(progressFromText(other.progress)) };
}

function valuesOf(order: JsonRecord | null, state: OrderState, orderNumber: number): OrderValues {
  return order === null ? unknownOrderValues(orderNumber, state.orderId) : readOrderValues(order, orderNumber);
}

/** The newer of two fact ids: the newest fact may be folded and not loaded. */
function newerOf(loaded = '0', folded = '0'): string {
  return BigInt(loaded) > BigInt(folded) ? loaded : folded;
}
