import type { Commands, OpenCommand } from '@gondola/messaging/commands';
import type { ClaimedLane } from '@gondola/messaging/lanes';
import type { Database } from '@gondola/service-kit/database';
import { decodeUtf8, isPlainRecord, tryParseWithDigits } from '@gondola/shared/json-digits';
import type { OrderView as OrderValues } from '@gondola/shared/order-event';
import type { Language } from '@gondola/shared/reason-codes';
import { progressFromText } from '../domain/command-progress.ts';
import type { HeadCommand } from '../domain/lane-plan.ts';
import { type OrderState, foldFacts } from '../domain/order-state.ts';
import { readOrderValues, unknownOrderValues } from '../domain/order-values.ts';
import { readCommandContent } from '../domain/read-command.ts';
import { NOTHING_TOLD } from '../domain/told.ts';
import { orderNumberOf } from './order-lane.ts';
import type { FactStore, OrderRow, OrderStore } from './order-stores.ts';

/** An order's lane with everything that its step looks at. */
export interface LoadedLane {
  readonly lane: ClaimedLane;
  readonly orderNumber: string | null;
  readonly state: OrderState | null;
  readonly values: OrderValues | null;
  /** The bytes of the newest `data`. */
  readonly platform: Buffer | null;
  /** The order's row, or what a new one would say. */
  readonly row: OrderRow | null;
  /** The newest fact that was loaded; `0` for none. */
  readonly seenFactId: string;
  readonly open: OpenCommand | null;
  readonly head: HeadCommand | null;
}

export interface LoadOrderLanesOptions {
  readonly database: Database;
  readonly commands: Commands;
  readonly facts: FactStore;
  readonly orders: OrderStore;
  readonly language: Language;
}

/** Reads what the steps of several lanes need, in a handful of queries. The lanes are leased, so only new facts can come in between. */
export class LoadOrderLanes {
  readonly #options: LoadOrderLanesOptions;

  constructor(options: LoadOrderLanesOptions) {
    this.#options = options;
  }

  async load(lanes: readonly ClaimedLane[]): Promise<LoadedLane[]> {
    const { database, commands, facts, orders } = this.#options;
    const ids = lanes.map(({ id }) => id);
    const [factsOf, rowOf, heads] = await Promise.all([
      facts.ofLanes(ids),
      orders.ofLanes(ids),
      commands.heads(database, ids),
    ]);
    const stateOf = new Map(ids.map((id) => [id, foldFacts(factsOf.get(id) ?? [])]));
    const told = [...stateOf.values()].flatMap((state) => (state?.valuesFact ? [state.valuesFact.id] : []));
    const dataOf = await facts.dataOf(told);
    const openOf = new Map(heads.map((head) => [head.laneId, head]));
    return lanes.map((lane) => {
      const state = stateOf.get(lane.id) ?? null;
      const open = openOf.get(lane.id) ?? null;
      const orderNumber = orderNumberOf(lane);
      const platform = dataOf.get(state?.valuesFact?.id ?? '') ?? null;
      return {
        lane,
        orderNumber,
        state,
        values: state === null || orderNumber === null ? null : valuesOf(platform, state, Number(orderNumber)),
        platform,
        row: orderNumber === null ? null : (rowOf.get(lane.id) ?? newRow(lane, orderNumber)),
        seenFactId: factsOf.get(lane.id)?.at(-1)?.id ?? '0',
        open,
        head: open === null ? null : this.#headOf(open),
      };
    });
  }

  #headOf({ value, progress, deadlineInMs }: OpenCommand): HeadCommand {
    const content = readCommandContent(value, this.#options.language);
    return { content, progress: progressFromText(progress), deadlineInMs };
  }
}

function valuesOf(platform: Buffer | null, state: OrderState, orderNumber: number): OrderValues {
  const data = platform === null ? undefined : tryParseWithDigits(decodeUtf8(platform) ?? '');
  if (!isPlainRecord(data)) return unknownOrderValues(orderNumber, state.orderId);
  return readOrderValues(data, orderNumber);
}

function newRow({ id, tenant }: ClaimedLane, orderNumber: string): OrderRow {
  return { laneId: id, tenant, orderNumber, orderId: null, status: null, told: NOTHING_TOLD, unconfirmed: [] };
}
