import type { Reading } from '../http/route.ts';
import type { Clock } from '../runtime/clock.service.ts';
import { EarlierStates } from '../store/earlier-states.ts';
import type { Store, Table } from '../store/store.service.ts';
import { ticksOf } from '../values/local-time.ts';
import { ITEMS_CHANGED } from './order-status.ts';
import { MORNING, NO_TERMS, ORIGINS, type Order } from './order.ts';

/** An order as stored: `text` is the order as JSON, its times as texts. */
export interface OrderRow {
  readonly number: number;
  readonly id: string;
  readonly contractAccountId: string;
  readonly status: number;
  readonly text: string;
}

/** The number, or the GUID in upper or lower case. */
export type OrderKey = { readonly number: number } | { readonly id: string };

const FIRST_NUMBER = 100_001;

/** Fields that are missing in orders of an older version. */
const ADDED_LATER = {
  finalPriceCents: null,
  invoice: null,
  invoiceFile: null,
  origin: ORIGINS.web,
  window: MORNING,
  isRecalculated: false,
  ...NO_TERMS,
};
/** Keys of times, which are counts of 100 ns. */
const TIMES: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'at']);

export class Orders {
  readonly table: Table<number, OrderRow>;
  private readonly numbers = new Map<string, number>();
  private readonly earlier = new EarlierStates<number, OrderRow>();

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {
    this.table = store.table('orders');
    this.table.watch((number, after, before) => {
      if (before) this.numbers.delete(before.id);
      if (after) this.numbers.set(after.id, number);
    });
  }

  /** Within the unit of work that saves the order. */
  nextNumber(): number {
    return this.store.next('orders', FIRST_NUMBER);
  }

  numberOf(id: string): number | undefined {
    return this.numbers.get(id.toLowerCase());
  }

  find(key: OrderKey): Order | undefined {
    const number = 'number' in key ? key.number : this.numberOf(key.id);
    const row = number === undefined ? undefined : this.table.get(number);
    return row && orderOf(row);
  }

  /** The order if it belongs to this merchant, else undefined. */
  ofMerchant(
    { contractAccountId }: { readonly contractAccountId: string },
    number: number | undefined,
  ): Order | undefined {
    const order = number === undefined ? undefined : this.find({ number });
    return order?.contractAccountId === contractAccountId ? order : undefined;
  }

  /** The merchant's order and its status as a read shows them; undefined if it does not exist, or did not then. */
  shown(
    caller: { readonly contractAccountId: string; readonly reading: Reading },
    number: number | undefined,
  ): { readonly order: Order; readonly status: number } | undefined {
    const { lagMs, shows1300 } = caller.reading;
    const present = this.ofMerchant(caller, number);
    const order = present && lagMs > 0 ? this.before(present, this.clock.now() - lagMs) : present;
    return order && { order, status: shows1300 && order.isRecalculated ? ITEMS_CHANGED : order.status };
  }

  clear(): void {
    this.table.clear();
    this.earlier.clear();
  }

  private before(order: Order, ms: number): Order | undefined {
    const row = this.earlier.at(order.number, ms);
    return row ? orderOf(row) : order.createdAt > ticksOf(ms) ? undefined : order;
  }

  /** Within a unit of work. */
  save(order: Order): void {
    const { number, id, contractAccountId, status } = order;
    const before = this.table.get(number);
    if (before) this.earlier.end(number, before, this.clock.now());
    const text = JSON.stringify(order, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    this.table.put(number, { number, id, contractAccountId, status, text });
  }
}

export function orderOf({ text }: OrderRow): Order {
  return { ...ADDED_LATER, ...(JSON.parse(text, revive) as Order) };
}

function revive(key: string, value: unknown): unknown {
  return TIMES.has(key) ? BigInt(value as string) : value;
}
