/**
 * The time ran out before the work was answered; its effect is unknown. `cause` is the last failure, if there was
 * one.
 */
export class OutOfTimeError extends Error {
  readonly code = 'OUT_OF_TIME';
  constructor(budgetMs: number, cause?: unknown) {
    super(`PostgreSQL did not answer within ${budgetMs} ms`, { cause });
    this.name = 'OutOfTimeError';
  }
}

export interface GroupCommitOptions<T, R> {
  /** Stores a group and returns after its commit: one result per item, in item order. Must be safe to repeat. */
  readonly commit: (items: readonly T[]) => Promise<readonly R[]>;
  readonly bytesOf: (item: T) => number;
  /** Most items in a group. */
  readonly maxItems: number;
  /** Most bytes in a group; a first item that is longer forms a group alone. */
  readonly maxBytes: number;
  /**
   * Key of an item. With keys, two groups are stored at once, so that one is prepared while the other commits, but
   * never two that share a key: items of one key are stored in the order of arrival. Without keys, one group is
   * stored at a time.
   */
  readonly keyOf?: (item: T) => string;
  /** Once an item has waited this long for its answer, all unanswered items are given up. */
  readonly budgetMs: number;
}

/**
 * Tried: three groups at once, and a minimum size of the second group, neither measurably faster; groups of a fixed
 * size, equal here and worse where commits are slow.
 */
const GROUPS_AT_ONCE = 2;
/** Up to this many items are never divided between groups, because each group has a fixed cost. */
const UNDIVIDED = 16;

interface Entry<T, R> {
  readonly item: T;
  /** Null if groups have no keys. */
  readonly key: string | null;
  readonly sinceMs: number;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores items that arrive together in one group: while groups are being stored, the next group collects items.
 * Each item is answered after the commit of its group; if the group fails, all its items fail with the same error.
 * Tested in group-commit.unit.spec.ts.
 */
export class GroupCommit<T, R> {
  readonly #options: GroupCommitOptions<T, R>;
  /**
   * An array, not a Set, as in `HttpConnections`: an old table of a Set would hold all past groups with their
   * bodies.
   */
  #underWay: (readonly Entry<T, R>[])[] = [];
  #waiting: Entry<T, R>[] = [];
  #isScheduled = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: GroupCommitOptions<T, R>) {
    this.#options = options;
  }

  /** True once every item has its answer. */
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
   * Fails all unanswered items with `error`. Groups that are being stored are not aborted, so their items may still
   * be stored.
   */
  giveUp(error: unknown): void {
    const entries = this.#underWay.flat().concat(this.#waiting);
    this.#underWay = [];
    this.#waiting = [];
    this.#endWatch();
    for (const { reject } of entries) reject(error);
  }

  /** Defers to the end of the event loop turn, so that bodies read from many sockets in one turn form one group. */
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
   * With two groups at a time, the next group takes a third of all unanswered items. If it took all waiting items,
   * nearly every item would be in one of the two groups, and nothing would be left to read or answer while both are
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
    // The next group starts before anybody is answered, because answering takes as long as storing.
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
