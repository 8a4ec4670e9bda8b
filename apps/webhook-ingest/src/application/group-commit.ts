import { OutOfTimeError } from './try-within.ts';

export interface GroupCommitOptions<T, R> {
  /** Stores a group, and answers after its commit: one result for each item, in their order. Must be safe to repeat. */
  readonly commit: (items: readonly T[]) => Promise<readonly R[]>;
  readonly bytesOf: (item: T) => number;
  /** A group has so many items at most, */
  readonly maxItems: number;
  /** and so many bytes, unless its first item alone has more. */
  readonly maxBytes: number;
  /** So many groups are under way at once. */
  readonly groupsAtOnce: number;
  /** As soon as one item is without an answer for so long, all that have none are given up. */
  readonly budgetMs: number;
}

interface Entry<T, R> {
  readonly item: T;
  readonly sinceMs: number;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores together what arrives together: while one group is under way, the next one collects. Each item is answered after the commit of its
 * group, and what the group fails with, each of its items fails with. Tested in group-commit.unit.spec.ts.
 */
export class GroupCommit<T, R> {
  readonly #options: GroupCommitOptions<T, R>;
  readonly #underWay = new Set<readonly Entry<T, R>[]>();
  #waiting: Entry<T, R>[] = [];
  #isScheduled = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: GroupCommitOptions<T, R>) {
    this.#options = options;
  }

  /** Whether everything has its answer. */
  get isIdle(): boolean {
    return this.#underWay.size === 0 && this.#waiting.length === 0;
  }

  async add(item: T): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    this.#waiting.push({ item, sinceMs: performance.now(), resolve, reject });
    this.#watch ??= this.#watchFor(this.#options.budgetMs);
    this.#schedule();
    return promise;
  }

  /** Whatever has no answer yet fails with `error`; what is under way is left to itself, and may be stored all the same. */
  giveUp(error: unknown): void {
    const entries = [...this.#underWay].flat().concat(this.#waiting);
    this.#underWay.clear();
    this.#waiting = [];
    this.#endWatch();
    for (const { reject } of entries) reject(error);
  }

  /** What one turn of the event loop reads from many sockets becomes one group. */
  #schedule(): void {
    if (this.#isScheduled || this.#underWay.size >= this.#options.groupsAtOnce) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#begin();
    });
  }

  #begin(): void {
    while (this.#waiting.length > 0 && this.#underWay.size < this.#options.groupsAtOnce) {
      void this.#store(this.#nextGroup());
    }
  }

  #nextGroup(): readonly Entry<T, R>[] {
    const { bytesOf, maxItems, maxBytes } = this.#options;
    let bytes = 0;
    const isOver = ({ item }: Entry<T, R>, index: number): boolean => {
      bytes += bytesOf(item);
      return index > 0 && (index >= maxItems || bytes > maxBytes);
    };
    const end = this.#waiting.findIndex(isOver);
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #store(group: readonly Entry<T, R>[]): Promise<void> {
    this.#underWay.add(group);
    const answer = await this.#answerOf(group);
    this.#underWay.delete(group);
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
