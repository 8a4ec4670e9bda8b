/**
 * A wait that can be ended from outside. A signal that arrives while nothing waits ends the next wait, so that no
 * signal is lost. For one waiter.
 */
export class WakeSignal {
  #signalled = false;
  #end: (() => void) | undefined;

  signal(): void {
    this.#signalled = true;
    this.#end?.();
  }

  /** Waits until the next signal, for `ms` at most. */
  async wait(ms?: number): Promise<void> {
    if (!this.#signalled) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.#end = resolve;
      await promise;
      clearTimeout(timer);
      this.#end = undefined;
    }
    this.#signalled = false;
  }
}
