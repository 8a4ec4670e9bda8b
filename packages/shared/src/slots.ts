/** A number of slots for tasks, and the line of those that wait for one, in the order in which they came. */
export class Slots {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(slots: number) {
    this.#free = slots;
  }

  /** If true, the line is empty: a slot that becomes free goes to the first in line. */
  get isOneFree(): boolean {
    return this.#free > 0;
  }

  /** Takes a slot, to be given back by `leave`; false if the wait in line was aborted before one was free. */
  async take(wait?: AbortSignal): Promise<boolean> {
    if (this.#takeFree()) return true;
    if (wait?.aborted === true) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const handOver = (): void => resolve(true);
    const giveUp = (): void => {
      const index = this.#line.indexOf(handOver);
      if (index < 0) return;
      this.#line.splice(index, 1);
      resolve(false);
    };
    this.#line.push(handOver);
    wait?.addEventListener('abort', giveUp, { once: true });
    const isTaken = await promise;
    wait?.removeEventListener('abort', giveUp);
    return isTaken;
  }

  leave(): void {
    const next = this.#line.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  /** Runs `task` once it has a slot, which it gives back however it ends. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    // A free slot is taken at once: the task begins before this method returns.
    if (!this.#takeFree()) await this.take();
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  #takeFree(): boolean {
    if (!this.isOneFree) return false;
    this.#free -= 1;
    return true;
  }
}
