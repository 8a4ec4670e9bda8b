import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { Signals, atMost } from './signals.service.ts';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
/** The sender says when it rests; this is for what nobody thought of. */
const LOOK_AGAIN_MS = 1_000;

/** Operations the core has not taken, notifications that are not delivered or given up. */
export interface OpenWork {
  readonly waitingOperations: number;
  readonly pendingDeliveries: number;
}

/** Waits for core and sender to have nothing left to do. */
@Injectable()
export class Quiet {
  constructor(
    private readonly database: Database,
    private readonly signals: Signals,
  ) {}

  /**
   * Of all operations, or of one, while others go on: core and sender do not rest for it, so it is looked at again and
   * again. Returns what is still open after so long at most.
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

  /** Of one operation, or of all. */
  private async count(operationId: string | null): Promise<OpenWork> {
    // In one statement: the core writes deliveries in the transaction that ends an operation, so none can slip through.
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
