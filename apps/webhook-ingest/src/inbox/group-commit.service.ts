import { OutOfTimeError } from './try-within.service.ts';

export interface GroupCommitOptions<T, R> {
  /** Stores a group, and answers after its commit: one result for each item, in their order. Must be safe to repeat. */
  readonly commit: (items: readonly T[]) => Promise<readonly R[]>;
  readonly bytesOf: (item: T) => number;
  /** A group has so many items at most, */
  readonly maxItems: number;
  /** and so many bytes, unless its first item alone has more. */
  readonly maxBytes: number;
  /**
   * The key of an item. With keys two groups are under way at once, so that one is prepared while the other is stored,
   * but never two with the same key: its items are stored in the order of arrival. Without keys one group is under way
   * at once.
   */
  readonly keyOf?: (item: T) => string;
  /** As soon as one item is without an answer for so long, all that have none are given up. */
  readonly budgetMs: number;
}

const GROUPS_AT_ONCE = 2;
/** So many are never divided between groups: each has its cost. */
const UNDIVIDED = 16;

interface Entry<T, R> {
  readonly item: T;
  /** Null where groups have no keys. */
  readonly key: string | null;
  readonly sinceMs: number;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores together what arrives together: while groups are under way, the next one collects. Each item is answered after
 * the commit of its group, and what the group fails with, each of its items fails with. Tested in
 * group-commit.service.unit.spec.ts.
 */
export class GroupCommit<T, R> {
  readonly #options: GroupCommitOptions<T, R>;
  /** No set, as in `HttpConnections`: one of its old tables would keep all groups since, with their bodies. */
  #underWay: (readonly Entry<T, R>[])[] = [];
  #waiting: Entry<T, R>[] = [];
  #isScheduled = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: GroupCommitOptions<T, R>) {
    this.#options = options;
  }

  /** Whether everything has its answer. */
  get isIdle(): boolean {
    return this.#underWay.length === 0 && this.#waiting.length === 0;
  }

  add(item: T): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    const key = this.#options.keyOf?.(item) ?? null;
    this.#waiting.push({ item, key, sinceMs: performance.now(), resolve, reject });
    this.#watch ??= this.#watchFor(this.#options.budgetMs);
    this.#schedule();
    return promise;
  }

  /**
   * Items without an answer fail with `error`; groups under way are left to themselves, and may be stored all the same.
   */
  giveUp(error: unknown): void {
    const entries = this.#underWay.flat().concat(this.#waiting);
    this.#underWay = [];
    this.#waiting = [];
    this.#endWatch();
    for (const { reject } of entries) reject(error);
  }

  /** Bodies that one turn of the event loop reads from many sockets become one group. */
  #schedule(): void {
    if (this.#isScheduled || this.#isFull) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#begin();
    });
  }

  get #isFull(): boolean {
    return this.#underWay.length >= (this.#options.keyOf === undefined ? 1 : GROUPS_AT_ONCE);
  }

  #begin(): void {
    while (!this.#isFull) {
      const group = this.#nextGroup();
      if (group.length === 0) return;
      void this.#store(group);
    }
  }

  #nextGroup(): readonly Entry<T, R>[] {
    const { bytesOf, maxBytes } = this.#options;
    const maxItems = this.#mostItems;
    const group: Entry<T, R>[] = [];
    const left: Entry<T, R>[] = [];
    const taken = new Set<string | null>();
    for (const other of this.#underWay) for (const { key } of other) taken.add(key);
    let bytes = 0;
    let isFull = false;
    for (const entry of this.#waiting) {
      const isBehind = taken.has(entry.key);
      isFull ||= !isBehind && group.length > 0 && (group.length >= maxItems || bytes + bytesOf(entry.item) > maxBytes);
      if (isFull || isBehind) left.push(entry);
      else {
        bytes += bytesOf(entry.item);
        group.push(entry);
      }
    }
    this.#waiting = left;
    return group;
  }

  /**
   * With two groups under way, the next takes a third of all that has no answer. Were it to take all that waits,
   * everything would soon be in one group or the other, and nothing would be left to read and to send while both are
   * stored.
   */
  get #mostItems(): number {
    const { keyOf, maxItems } = this.#options;
    if (keyOf === undefined) return maxItems;
    const unanswered = this.#underWay.reduce((sum, { length }) => sum + length, this.#waiting.length);
    return Math.min(maxItems, Math.max(UNDIVIDED, Math.ceil(unanswered / (GROUPS_AT_ONCE + 1))));
  }

  async #store(group: readonly Entry<T, R>[]): Promise<void> {
    this.#underWay.push(group);
    const answer = await this.#answerOf(group);
    this.#underWay = this.#underWay.filter((other) => other !== group);
    // The next group is on its way before anybody is answered: answering takes as long as storing does.
    this.#begin();
    answer();
    if (this.isIdle) this.#endWatch();
  }

  async #answerOf(group: readonly Entry<T, R>[]): Promise<() => void> {
    try {
      const results = await this.#options.commit(group.map(({ item }) => item));
      return () => group.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      return () => group.forEach(({ reject }) => reject(error));
    }
  }

  #watchFor(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      const { budgetMs } = this.#options;
      const [oldest = this.#waiting] = this.#underWay;
      const leftMs = budgetMs - (performance.now() - (oldest[0]?.sinceMs ?? performance.now()));
      if (leftMs <= 0) this.giveUp(new OutOfTimeError(budgetMs));
      else this.#watch = this.#watchFor(leftMs);
    }, ms);
  }

  #endWatch(): void {
    clearTimeout(this.#watch);
    this.#watch = undefined;
  }
}
