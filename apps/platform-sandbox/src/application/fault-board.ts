import { Database, type Tx } from '@gondola/service-kit/database';
import type { Startable } from '@gondola/service-kit/startable';
import { Injectable } from '@nestjs/common';
import { isJsonObject, keyOf, numberOf } from '../domain/exact-json.ts';
import { callPlan, type CallPlan } from '../domain/faults/call-plan.ts';
import { deliveryPlan, type DeliveryPlan, type WebhookStrike } from '../domain/faults/delivery-plan.ts';
import {
  isCallFault,
  matchesCall,
  matchesEvent,
  shuffledDelayMs,
  strikes,
  type Fault,
  type FaultCount,
  type WebhookFault,
} from '../domain/faults/fault.ts';
import type { Notification } from '../domain/webhooks/notification.ts';
import { FaultsRepository, type StoredFault } from '../outbound/faults.repository.ts';

const SHUFFLE_WINDOW_MS = 500;
const DELAY_MS = 1_000;

/**
 * The faults that are set, and their counts. The faults are in memory, because every call asks; the counts are in the database, because
 * a fault that strikes once strikes once, restart or not.
 */
@Injectable()
export class FaultBoard implements Startable {
  readonly name = 'faults';
  private faults: readonly StoredFault[] = [];

  constructor(
    private readonly database: Database,
    private readonly repository: FaultsRepository,
  ) {}

  async start(): Promise<void> {
    this.faults = await this.repository.all(this.database);
  }

  async stop(): Promise<void> {}

  async add(faults: readonly Fault[]): Promise<StoredFault[]> {
    const added = await this.database.transaction(async (tx) => {
      const stored: StoredFault[] = [];
      for (const fault of faults) stored.push(await this.repository.add(tx, fault));
      return stored;
    });
    this.faults = [...this.faults, ...added];
    return added;
  }

  async clear(): Promise<void> {
    await this.repository.removeAll(this.database);
    this.faults = [];
  }

  /** Counts this call, and says what becomes of it; undefined when no fault names it. */
  async planCall(method: string, path: string): Promise<CallPlan | undefined> {
    const matching = this.faults.flatMap(({ id, fault }) =>
      isCallFault(fault) && matchesCall(fault, method, path) ? [{ id, fault }] : [],
    );
    if (matching.length === 0) return undefined;
    const struck = await this.database.transaction((tx) => this.struck(tx, matching));
    return callPlan(struck.map(({ fault }) => fault));
  }

  /** Counts this notification in the transaction that writes it, and says what becomes of it. */
  async planDelivery(tx: Tx, { eventType, data }: Notification): Promise<DeliveryPlan> {
    const status = isJsonObject(data) ? numberOf(keyOf(data, 'status')) : undefined;
    const matching = this.faults.flatMap(({ id, fault }) =>
      !isCallFault(fault) && matchesEvent(fault, eventType, status) ? [{ id, fault }] : [],
    );
    const struck = await this.struck(tx, matching);
    return deliveryPlan(struck.map(({ fault, count }) => strikeOf(fault, count)));
  }

  private async struck<F extends Fault>(
    tx: Tx,
    matching: readonly { id: string; fault: F }[],
  ): Promise<{ fault: F; count: FaultCount }[]> {
    if (matching.length === 0) return [];
    const ids = matching.map(({ id }) => id);
    const counts = await this.repository.lockCounts(tx, ids);
    const struck = matching.flatMap(({ id, fault }) => {
      const count = counts.get(id);
      return count && strikes(fault, count) ? [{ id, fault, count }] : [];
    });
    await this.repository.count(
      tx,
      ids,
      struck.map(({ id }) => id),
    );
    return struck;
  }
}

function strikeOf(fault: WebhookFault, count: FaultCount): WebhookStrike {
  if (fault.kind === 'webhook-shuffle') {
    return { kind: fault.kind, delayMs: shuffledDelayMs({ ms: SHUFFLE_WINDOW_MS, ...fault }, count) };
  }
  return { kind: fault.kind, delayMs: fault.kind === 'webhook-delay' ? (fault.ms ?? DELAY_MS) : 0 };
}
