import type { Commands, OpenCommand } from '@gondola/messaging/commands/commands';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import type { Database } from '@gondola/service-kit/database/database';
import { type JsonRecord, parseRecord } from '@gondola/shared/json/json-digits';
import type { OrderView as OrderValues } from '@gondola/shared/orders/order-event';
import type { Language } from '@gondola/shared/results/reason-codes';
import type { UnitName } from '@gondola/shared/units-and-money/units';
import { progressFromText } from '../commands/command-progress.ts';
import type { HeadCommand } from './lane-situation.ts';
import type { KnownSku } from '../skus/match-skus.ts';
import { type OrderState, foldFacts } from '../orders/order-state.ts';
import { readOrderValues, unknownOrderValues } from '../orders/order-values.ts';
import { pdfCheck, pdfOutcome } from '../invoices/pdf-outcome.ts';
import { readCommand } from '../commands/read-command.ts';
import { NOTHING_TOLD } from '../orders/published-state.ts';
import { orderNumberOf } from '../orders/order-lane.ts';
import type { OrderPlatform } from '../platform/order-calls.ts';
import type { FactStore, OrderRow, OrderStore, PdfResultStore, SkuStore } from '../orders/order-stores.ts';
import { skuQuery } from '../skus/sku-query.ts';

/** A command whose turn it is, with its row. */
export interface LoadedHead {
  readonly open: OpenCommand;
  readonly head: HeadCommand;
}

/** An order's lane with everything that its step looks at. */
export interface LoadedLane {
  readonly lane: ClaimedLane;
  readonly orderNumber: string | null;
  readonly state: OrderState | null;
  readonly values: OrderValues | null;
  readonly skus: readonly KnownSku[];
  readonly finalPrice: string | null;
  /** The bytes of the newest `data`. */
  readonly platform: Buffer | null;
  /** The order's row, or what a new one would say. */
  readonly row: OrderRow | null;
  /** The newest fact that was loaded; `0` for none. */
  readonly seenFactId: string;
  readonly heads: readonly LoadedHead[];
}

/** The command of a plan or a call, as it was loaded. */
export function headOf({ heads }: LoadedLane, commandId: string): LoadedHead {
  const found = heads.find(({ open }) => open.commandId === commandId);
  if (found === undefined) throw new Error('A plan is about a command that was not loaded');
  return found;
}

export interface LoadOrderLanesOptions {
  readonly database: Database;
  readonly commands: Commands;
  readonly facts: FactStore;
  readonly orders: OrderStore;
  readonly skus: SkuStore;
  readonly pdfResults: PdfResultStore;
  readonly platform: Pick<OrderPlatform, 'invoiceFactsOf'>;
  readonly tenant: string;
  readonly language: Language;
  /** The tenant's names of units. */
  readonly units: Readonly<Record<string, UnitName>>;
}

/**
 * Reads what the steps of several lanes need, in a handful of queries. The lanes are leased, so only new facts can come
 * in between.
 */
export class LoadOrderLanes {
  readonly #options: LoadOrderLanesOptions;

  constructor(options: LoadOrderLanesOptions) {
    this.#options = options;
  }

  async load(lanes: readonly ClaimedLane[]): Promise<LoadedLane[]> {
    const { database, commands, facts, orders } = this.#options;
    const ids = lanes.map(({ id }) => id);
    const [factsOf, rowOf, open] = await Promise.all([
      facts.ofLanes(ids),
      orders.ofLanes(ids),
      commands.heads(database, ids).then((all) => this.#headsOf(all)),
    ]);
    const stateOf = new Map(ids.map((id) => [id, foldFacts(factsOf.get(id) ?? [])]));
    const dataOf = await facts.dataOf([...stateOf.values()].flatMap(factsWithValues));
    const loaded = lanes.map((lane) => {
      const state = stateOf.get(lane.id) ?? null;
      const orderNumber = orderNumberOf(lane);
      const platform = dataOf.get(state?.valuesFact?.id ?? '') ?? null;
      const data = parseRecord(platform);
      const read = parseRecord(dataOf.get(state?.payloadFact?.id ?? '') ?? null);
      return {
        lane,
        orderNumber,
        state,
        values: state === null || orderNumber === null ? null : valuesOf(data, state, Number(orderNumber)),
        finalPrice: this.#priceIn(read) ?? this.#priceIn(data),
        platform,
        row: orderNumber === null ? null : (rowOf.get(lane.id) ?? newRow(lane, orderNumber)),
        seenFactId: factsOf.get(lane.id)?.at(-1)?.id ?? '0',
        heads: open.filter((each) => each.open.laneId === lane.id),
      };
    });
    const skus = await this.#options.skus.find(this.#options.tenant, skuQuery(loaded));
    return loaded.map((each) => ({ ...each, skus }));
  }

  async #headsOf(all: readonly OpenCommand[]): Promise<LoadedHead[]> {
    const { language, units, pdfResults, tenant } = this.#options;
    const progressOf = new Map(all.map(({ id, progress }) => [id, progressFromText(progress)]));
    const asking = all.filter(({ id }) => {
      const progress = progressOf.get(id);
      return progress !== undefined && (progress.pdfAsked !== null || progress.pdfCheckAsked !== null);
    });
    const resultsOf = await pdfResults.ofCommands(
      tenant,
      asking.map(({ commandId }) => commandId),
    );
    return all.map((open) => ({
      open,
      head: {
        commandId: open.commandId,
        judged: readCommand(open.value, { language, units }),
        progress: progressOf.get(open.id)!,
        deadlineInMs: open.deadlineInMs,
        pdfCheck: pdfCheck(resultsOf.get(open.commandId) ?? []),
        pdfOutcome: pdfOutcome(resultsOf.get(open.commandId) ?? []),
      },
    }));
  }

  #priceIn(data: JsonRecord | null): string | null {
    return data === null ? null : this.#options.platform.invoiceFactsOf(data).price;
  }
}

function factsWithValues(state: OrderState | null): string[] {
  return [state?.valuesFact, state?.payloadFact].flatMap((fact) => fact?.id ?? []);
}

function valuesOf(data: JsonRecord | null, state: OrderState, orderNumber: number): OrderValues {
  return data === null ? unknownOrderValues(orderNumber, state.orderId) : readOrderValues(data, orderNumber);
}

function newRow({ id, tenant }: ClaimedLane, orderNumber: string): OrderRow {
  return {
    laneId: id,
    tenant,
    orderNumber,
    orderId: null,
    status: null,
    told: NOTHING_TOLD,
    unconfirmed: [],
    watch: null,
  };
}
