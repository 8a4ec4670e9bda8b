/** Slots for the calls of one tenant, and the line of those that wait for one. */
export class CallSlots {
  readonly #most: number;
  readonly #line: Array<() => void> = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** If true, the line is empty: a slot that becomes free goes to the first in line. */
  get isOneFree(): boolean {
    return this.#taken < this.#most;
  }

  /**
   * Takes a slot, in the order of the calls of this method; false if none was free within `ms`. Each slot must be given
   * back by `leave`.
   */
  async take(ms: number): Promise<boolean> {
    if (this.isOneFree) {
      this.#taken += 1;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const handOver = (): void => resolve(true);
    this.#line.push(handOver);
    const timer = setTimeout(() => {
      const index = this.#line.indexOf(handOver);
      if (index < 0) return;
      this.#line.splice(index, 1);
      resolve(false);
    }, ms);
    const isTaken = await promise;
    clearTimeout(timer);
    return isTaken;
  }

  leave(): void {
    const next = this.#line.shift();
    if (next === undefined) this.#taken -= 1;
    else next();
  }
}
