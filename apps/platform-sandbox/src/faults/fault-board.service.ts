import type { Clock } from '../runtime/clock.service.ts';
import type { Store, Table } from '../store/store.service.ts';
import { isJsonObject, keyOf, numberOf, type Json } from '../values/exact-json.ts';
import { effectiveOnCall, effectiveOnDelivery, endsWithRefusal } from './effective-faults.ts';
import {
  affects,
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
  type AffectedCall,
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
export interface MatchedCall extends AffectedCall {
  readonly url: string;
  /** Reads what the call is about. */
  readonly aim: () => Aim;
}

export interface PlannedCall {
  readonly plan: CallPlan;
  /** The route refused the call: what would have followed its work is not counted as struck. */
  readonly takeBack: () => void;
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
  planCall(call: MatchedCall): PlannedCall | undefined {
    if (this.table.size === 0) return undefined;
    const { method, url } = call;
    let known: Aim | undefined;
    const aim = (): Aim => (known ??= call.aim());
    const matching = this.lasting(
      (fault) => bendsCalls(fault) && affects(fault, call) && matchesCall(fault, method, url) && isAimedAt(fault, aim),
    );
    if (matching.length === 0) return undefined;
    const struck = this.struck(matching, (striking) =>
      effectiveOnCall(striking, { isQueued: call.isQueued, products: aim().products }),
    );
    return { plan: callPlan(struck), takeBack: () => this.takeBack(struck) };
  }

  /** Counts this notification in the unit that writes it, and plans its delivery. */
  planDelivery({ eventType, data }: { readonly eventType: string; readonly data: Json }, aim: () => Aim): DeliveryPlan {
    const status = isJsonObject(data) ? numberOf(keyOf(data, 'status')) : undefined;
    const matching = this.lasting(
      (fault) => bendsDeliveries(fault) && matchesEvent(fault, eventType, status) && isAimedAt(fault, aim),
    );
    return deliveryPlan(this.struck(matching, effectiveOnDelivery));
  }

  private lasting(matches: (fault: Fault) => boolean): StoredFault[] {
    const nowMs = this.clock.now();
    return [...this.table.values()].filter(({ fault }) => !isOver(fault, nowMs) && matches(fault));
  }

  /** Those that strike and have an effect, with their counts before. */
  private struck(
    matching: readonly StoredFault[],
    effective: (striking: readonly Striking[]) => Striking[],
  ): Striking[] {
    if (matching.length === 0) return [];
    const striking = matching
      .filter((stored) => strikes(stored.fault, stored))
      .map(({ id, fault, matched, struck }) => ({ id, fault, count: { matched, struck } }));
    const struck = effective(striking);
    const ids = new Set(struck.map(({ id }) => id));
    this.store.unit(() => {
      for (const stored of matching) {
        const counts = { matched: stored.matched + 1, struck: stored.struck + (ids.has(stored.id) ? 1 : 0) };
        this.table.put(stored.id, { ...stored, ...counts });
      }
    });
    return struck;
  }

  private takeBack(struck: readonly Striking[]): void {
    this.store.unit(() => {
      for (const { id, fault } of struck) {
        const stored = endsWithRefusal(fault) ? this.table.get(id) : undefined;
        if (stored) this.table.put(id, { ...stored, struck: stored.struck - 1 });
      }
    });
  }
}

interface Striking extends Struck {
  readonly id: string;
}
