/**
 * A pause that can be ended from outside; a signal while nobody waits ends the next pause, so that none is lost. For
 * one waiter.
 */
export class WakeSignal {
  #signalled = false;
  #end: (() => void) | undefined;

  signal(): void {
    this.#signalled = true;
    this.#end?.();
  }

  /** Waits for `ms`, or until the next signal. */
  async wait(ms: number): Promise<void> {
    if (!this.#signalled) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      this.#end = resolve;
      await promise;
      clearTimeout(timer);
      this.#end = undefined;
    }
    this.#signalled = false;
  }
}
