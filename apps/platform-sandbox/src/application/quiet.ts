import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { DeliveriesRepository } from '../outbound/deliveries.repository.ts';
import { OperationsRepository } from '../outbound/operations.repository.ts';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

/**
 * Work that is accepted and not done: operations the core has not taken, notifications that are not delivered or given
 * up.
 */
export interface OpenWork {
  readonly waitingOperations: number;
  readonly pendingDeliveries: number;
}

/** Waits for core and sender to have nothing left to do. */
@Injectable()
export class Quiet {
  constructor(
    private readonly database: Database,
    private readonly operations: OperationsRepository,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /** What is still open after so long at most; of one operation, or of all. */
  async wait(timeoutMs: number, operationId: string | null = null): Promise<OpenWork> {
    const deadline = performance.now() + timeoutMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
      const open = await this.open(operationId);
      if (isQuiet(open) || performance.now() >= deadline) return open;
      await delay(pauseMs);
    }
  }

  private async open(operationId: string | null): Promise<OpenWork> {
    // In this order: the core writes deliveries in the transaction that ends an operation, so none can slip through
    // between the two.
    const waitingOperations = await this.operations.waiting(this.database, operationId);
    const pendingDeliveries = await this.deliveries.pending(this.database, operationId);
    return { waitingOperations, pendingDeliveries };
  }
}

export function isQuiet({ waitingOperations, pendingDeliveries }: OpenWork): boolean {
  return waitingOperations === 0 && pendingDeliveries === 0;
}
