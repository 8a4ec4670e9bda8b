import type { TestSchema } from '@gondola/local-stack/test-stack';
import { Client as DatabaseClient } from 'pg';

const LOOK_AGAIN_MS = 30;
/**
 * Time without any progress of operations, attempts and calls after which a run counts as stuck. A busy machine is
 * slow, but makes progress.
 */
export const STANDSTILL_MS = 90_000;

interface Waiter {
  /** The newest operation when the wait was first seen; null before. */
  mark: bigint | null;
  readonly settled: PromiseWithResolvers<void>;
}

interface Beat {
  /** The newest accepted operation. */
  readonly newest: bigint;
  /** The oldest operation that the core has not taken; null without one. */
  readonly oldestWaiting: bigint | null;
  readonly pendingDeliveries: number;
}

/**
 * Watches the sandbox's queues from outside, with one statement for all waits, so that waiting adds no load. A wait
 * is over when its condition holds, or fails with the state of the queues when nothing moves any more.
 */
export class Pulse {
  private readonly database: DatabaseClient;
  private readonly outside: () => string;
  private readonly now: () => number;
  private waiters: Waiter[] = [];
  private looking: Promise<void> | undefined;
  private closed = false;
  private lastBeat = '';
  private movedAt: number;

  /** `outside` describes progress beyond the sandbox's queues: calls, deliveries that arrived. */
  private constructor(database: DatabaseClient, outside: () => string, now: () => number) {
    this.database = database;
    this.now = now;
    this.movedAt = now();
    this.outside = outside;
  }

  static async open(schema: TestSchema, outside: () => string, now = (): number => performance.now()): Promise<Pulse> {
    const database = new DatabaseClient({ connectionString: schema.url });
    await database.connect();
    await database.query(`SET search_path = ${schema.schema}`);
    return new Pulse(database, outside, now);
  }

  /** Waits until the core has taken every operation that is accepted by now. */
  async taken(): Promise<void> {
    const waiter: Waiter = { mark: null, settled: Promise.withResolvers<void>() };
    this.waiters.push(waiter);
    this.looking ??= this.look().finally(() => (this.looking = undefined));
    await waiter.settled.promise;
  }

  /** Waits until the core has taken everything and every notification is delivered or given up. */
  async quiet(): Promise<void> {
    this.movedAt = this.now();
    for (;;) {
      const beat = await this.beat();
      if (beat.oldestWaiting === null && beat.pendingDeliveries === 0) return;
      await pause();
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.looking;
    await this.database.end();
  }

  private async look(): Promise<void> {
    this.movedAt = this.now();
    while (this.waiters.length > 0 && !this.closed) {
      try {
        const { newest, oldestWaiting } = await this.beat();
        for (const waiter of this.waiters) waiter.mark ??= newest;
        const isOver = ({ mark }: Waiter): boolean => oldestWaiting === null || oldestWaiting > (mark ?? newest);
        const over = this.waiters.filter(isOver);
        this.waiters = this.waiters.filter((waiter) => !isOver(waiter));
        for (const { settled } of over) settled.resolve();
      } catch (error) {
        for (const { settled } of this.waiters.splice(0)) settled.reject(error);
      }
      await pause();
    }
  }

  /** Throws if nothing has moved for too long. */
  private async beat(): Promise<Beat> {
    const { rows } = await this.database.query<{
      newest: string;
      waiting: string | null;
      pending: number;
      ended: string;
    }>(
      `SELECT coalesce((SELECT max(seq) FROM operations), 0)::text AS newest,
              (SELECT min(seq) FROM operations WHERE state = 'waiting')::text AS waiting,
              (SELECT count(*)::int FROM deliveries WHERE state = 'pending') AS pending,
              coalesce((SELECT max(seq) FROM delivery_attempts), 0)::text AS ended`,
    );
    const { newest = '0', waiting = null, pending = 0, ended = '0' } = rows[0] ?? {};
    const stands = `newest operation ${newest}, oldest waiting ${waiting}, ${pending} notifications pending, attempt ${ended}; ${this.outside()}`;
    if (stands !== this.lastBeat) {
      this.lastBeat = stands;
      this.movedAt = this.now();
    } else if (this.now() - this.movedAt > STANDSTILL_MS) {
      throw new Error(`Nothing has moved for ${STANDSTILL_MS} ms: ${stands}`);
    }
    const oldestWaiting = waiting === null ? null : BigInt(waiting);
    return { newest: BigInt(newest), oldestWaiting, pendingDeliveries: pending };
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LOOK_AGAIN_MS);
  });
}
