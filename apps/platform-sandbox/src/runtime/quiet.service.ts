import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { Signals, atMost } from './signals.service.ts';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
/** The sender signals when it is idle; this interval is only a safety net. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Number of operations that the core has not taken, and of notifications that are neither delivered nor given up.
 */
export interface OpenWork {
  readonly waitingOperations: number;
  readonly pendingDeliveries: number;
}

/** Waits until the core and the sender are idle. */
@Injectable()
export class Quiet {
  constructor(
    private readonly database: Database,
    private readonly signals: Signals,
  ) {}

  /**
   * Waits for all operations, or for one while others continue. Core and sender do not signal the end of a single
   * operation, so it is polled. Returns the work that is still open when the wait ends or times out.
   */
  async wait(timeoutMs: number, operationId: string | null = null): Promise<OpenWork> {
    const deadline = performance.now() + timeoutMs;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
      const rest = this.signals.rest.next();
      const open = await this.count(operationId);
      const leftMs = deadline - performance.now();
      if (isQuiet(open) || leftMs <= 0) return open;
      await atMost(Math.min(operationId === null ? LOOK_AGAIN_MS : pauseMs, leftMs), rest);
    }
  }

  /** Counts the open work of one operation, or of all. */
  private async count(operationId: string | null): Promise<OpenWork> {
    // In one statement: the core writes deliveries in the transaction that finishes an operation, so no delivery is
    // missed.
    const { rows } = await this.database.query<OpenWork>(
      `SELECT
         (SELECT count(*)::int FROM operations
          WHERE state = 'waiting' AND ($1::text IS NULL OR operation_id = $1)) AS "waitingOperations",
         (SELECT count(*)::int FROM deliveries
          WHERE state = 'pending' AND ($1::text IS NULL OR operation_id = $1)) AS "pendingDeliveries"`,
      [operationId],
    );
    return rows[0] as OpenWork;
  }
}

export function isQuiet({ waitingOperations, pendingDeliveries }: OpenWork): boolean {
  return waitingOperations === 0 && pendingDeliveries === 0;
}
