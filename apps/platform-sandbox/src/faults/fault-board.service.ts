import type { Clock } from '../runtime/clock.service.ts';
import type { Store, Table } from '../store/store.service.ts';
import { isJsonObject, keyOf, numberOf, type Json } from '../values/exact-json.ts';
import {
  begun,
  bendsCalls,
  bendsDeliveries,
  callPlan,
  countedApart,
  deliveryPlan,
  isAimedAt,
  isOver,
  matchesCall,
  matchesEvent,
  strikes,
  type Aim,
  type CallPlan,
  type DeliveryPlan,
  type Fault,
  type FaultCount,
  type Struck,
} from './fault.ts';

export interface StoredFault extends FaultCount {
  readonly id: string;
  readonly fault: Fault;
}

/** A call, as faults match it. */
export interface MatchedCall {
  readonly method: string;
  readonly url: string;
  /** Reads what the call is about, when a fault aims at something. */
  readonly aim: () => Aim;
}

/** The active faults and their counts, which outlive a restart: a fault with `times: 1` strikes once. */
export class FaultBoard {
  readonly table: Table<string, StoredFault>;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {
    this.table = store.table('faults');
  }

  add(faults: readonly Fault[]): Pick<StoredFault, 'id' | 'fault'>[] {
    return this.store.unit(() =>
      faults.flatMap(countedApart).map((given) => {
        const added = { id: String(this.store.next('faults')), fault: begun(given, this.clock.now()) };
        this.table.put(added.id, { ...added, matched: 0, struck: 0 });
        return added;
      }),
    );
  }

  /** False if there is no such fault. */
  remove(id: string): boolean {
    if (!this.table.has(id)) return false;
    this.store.unit(() => this.table.delete(id));
    return true;
  }

  clear(): void {
    this.store.unit(() => this.table.clear());
  }

  /** Counts this call and plans its treatment; undefined if no fault matches it. */
  planCall({ method, url, aim }: MatchedCall): CallPlan | undefined {
    if (this.table.size === 0) return undefined;
    let target: Aim | undefined;
    const matching = this.lasting(
      (fault) => bendsCalls(fault) && matchesCall(fault, method, url) && isAimedAt(fault, () => (target ??= aim())),
    );
    return matching.length === 0 ? undefined : callPlan(this.struck(matching));
  }

  /** Counts this notification in the unit that writes it, and plans its delivery. */
  planDelivery({ eventType, data }: { readonly eventType: string; readonly data: Json }, aim: () => Aim): DeliveryPlan {
    const status = isJsonObject(data) ? numberOf(keyOf(data, 'status')) : undefined;
    const matching = this.lasting(
      (fault) => bendsDeliveries(fault) && matchesEvent(fault, eventType, status) && isAimedAt(fault, aim),
    );
    return deliveryPlan(this.struck(matching));
  }

  private lasting(matches: (fault: Fault) => boolean): StoredFault[] {
    const nowMs = this.clock.now();
    return [...this.table.values()].filter(({ fault }) => !isOver(fault, nowMs) && matches(fault));
  }

  /** Those that strike, with their counts before. */
  private struck(matching: readonly StoredFault[]): Struck[] {
    if (matching.length === 0) return [];
    const striking = this.store.unit(() =>
      matching.filter((stored) => {
        const isStriking = strikes(stored.fault, stored);
        const counts = { matched: stored.matched + 1, struck: stored.struck + (isStriking ? 1 : 0) };
        this.table.put(stored.id, { ...stored, ...counts });
        return isStriking;
      }),
    );
    return striking.map(({ fault, matched, struck }) => ({ fault, count: { matched, struck } }));
  }
}
