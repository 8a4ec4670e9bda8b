/** A pause that can be ended from outside; a ring while nobody waits ends the next pause, so that none is lost. For one waiter. */
export class Nudge {
  #rung = false;
  #end: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#end?.();
  }

  /** Waits for `ms`, or until the next ring. */
  async wait(ms: number): Promise<void> {
    if (!this.#rung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      this.#end = resolve;
      await promise;
      clearTimeout(timer);
      this.#end = undefined;
    }
    this.#rung = false;
  }
}
