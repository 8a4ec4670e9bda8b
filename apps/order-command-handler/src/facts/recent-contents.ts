import type { FactContent } from './fact-content.ts';

/** Content of a fact that this process stored. */
interface RecentFact {
  readonly laneId: string;
  /** SHA-256 of the content. */
  readonly hash: string;
  readonly content: FactContent;
}

/** Orders whose content a process holds at most, and the memory in which it lies: that of a fetch of many records. */
const MOST_LANES = 1_000;
const MOST_BYTES = 33_554_432;
/** Age after which another process has taken the lane's step. */
const MAX_AGE_MS = 10_000;

interface Held extends RecentFact {
  readonly at: number;
}

/**
 * The newest content of each order of which this process stored a notification a moment ago, so that the order's step
 * need not read it back. PostgreSQL alone says which facts there are, and what of them is erased: a content is taken by
 * its hash. What exceeds the bound is not taken up: steps begin with the orders that have waited longest. What is past
 * its age goes with the next that comes: nobody's data stays because an order had its step elsewhere.
 */
export class RecentContents {
  readonly #held = new Map<string, Held>();
  /** Orders whose content lies in one memory. */
  readonly #users = new Map<ArrayBufferLike, number>();
  #bytes = 0;

  add(facts: readonly RecentFact[], nowMs: number): void {
    this.#dropOlderThan(nowMs - MAX_AGE_MS);
    for (const fact of facts) {
      this.take(fact.laneId);
      if (this.#isFull()) return;
      this.#held.set(fact.laneId, { ...fact, at: nowMs });
      this.#use(fact.content.bytes.buffer, 1);
    }
  }

  /** Removes the content of an order and returns it; undefined for none. */
  take(laneId: string): Pick<RecentFact, 'hash' | 'content'> | undefined {
    const held = this.#held.get(laneId);
    if (held === undefined) return undefined;
    this.#held.delete(laneId);
    this.#use(held.content.bytes.buffer, -1);
    return held;
  }

  #isFull(): boolean {
    return this.#held.size >= MOST_LANES || this.#bytes >= MOST_BYTES;
  }

  #dropOlderThan(ms: number): void {
    for (const { laneId, at } of this.#held.values()) {
      if (at >= ms) return;
      this.take(laneId);
    }
  }

  #use(memory: ArrayBufferLike, change: 1 | -1): void {
    const before = this.#users.get(memory) ?? 0;
    const users = before + change;
    if (before === 0) this.#bytes += memory.byteLength;
    if (users > 0) this.#users.set(memory, users);
    else {
      this.#users.delete(memory);
      this.#bytes -= memory.byteLength;
    }
  }
}
