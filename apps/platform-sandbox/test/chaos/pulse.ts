const LOOK_AGAIN_MS = 30;
/**
 * Time without any progress of operations, attempts and calls after which a run counts as stuck. A busy machine is
 * slow, but makes progress.
 */
export const STANDSTILL_MS = 90_000;

interface Waiter {
  /** The newest operation when the wait was first seen; null before. */
  mark: number | null;
  readonly settled: PromiseWithResolvers<void>;
}

/** State of the queues, as `GET /admin/overview` shows it. */
export interface Beat {
  /** The newest accepted operation. */
  readonly newestOperation: number;
  /** The oldest operation that the core has not taken; null without one. */
  readonly oldestWaitingOperation: number | null;
  readonly pendingDeliveries: number;
  readonly newestAttempt: number;
}

/**
 * Watches the sandbox's queues from outside, with one call for all waits, so that waiting adds no load. A wait
 * is over when its condition holds, or fails with the state of the queues when nothing moves any more.
 */
export class Pulse {
  private readonly read: () => Promise<Beat | undefined>;
  private readonly outside: () => string;
  private readonly now: () => number;
  private waiters: Waiter[] = [];
  private looking: Promise<void> | undefined;
  private closed = false;
  private lastBeat = '';
  private movedAt: number;

  /**
   * `read` returns undefined while the sandbox is away. `outside` describes progress beyond its queues: calls,
   * deliveries that arrived.
   */
  constructor(read: () => Promise<Beat | undefined>, outside: () => string, now = (): number => performance.now()) {
    this.read = read;
    this.now = now;
    this.movedAt = now();
    this.outside = outside;
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
      if (beat?.oldestWaitingOperation === null && beat.pendingDeliveries === 0) return;
      await pause();
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.looking;
  }

  private async look(): Promise<void> {
    this.movedAt = this.now();
    while (this.waiters.length > 0 && !this.closed) {
      try {
        const beat = await this.beat();
        if (beat === undefined) {
          await pause();
          continue;
        }
        const { newestOperation: newest, oldestWaitingOperation: oldest } = beat;
        for (const waiter of this.waiters) waiter.mark ??= newest;
        const isOver = ({ mark }: Waiter): boolean => oldest === null || oldest > (mark ?? newest);
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
  private async beat(): Promise<Beat | undefined> {
    const beat = await this.read();
    const {
      newestOperation = '?',
      oldestWaitingOperation = '?',
      pendingDeliveries = '?',
      newestAttempt = '?',
    } = beat ?? {};
    const stands = `newest operation ${newestOperation}, oldest waiting ${oldestWaitingOperation}, ${pendingDeliveries} notifications pending, attempt ${newestAttempt}; ${this.outside()}`;
    if (stands !== this.lastBeat) {
      this.lastBeat = stands;
      this.movedAt = this.now();
    } else if (this.now() - this.movedAt > STANDSTILL_MS) {
      throw new Error(`Nothing has moved for ${STANDSTILL_MS} ms: ${stands}`);
    }
    return beat;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LOOK_AGAIN_MS);
  });
}
