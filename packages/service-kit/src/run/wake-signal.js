/**
 * A wait that can be ended from outside. A signal that arrives while nothing waits ends the next wait, so that no
 * signal is lost. For one waiter.
 */
export class WakeSignal {
  #signalled = false;
  #end;
  signal() {
    this.#signalled = true;
    this.#end?.();
  }
  /** Waits until the next signal, for `ms` at most. */
  async wait(ms) {
    if (!this.#signalled) {
      const { promise, resolve } = Promise.withResolvers();
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.#end = resolve;
      await promise;
      clearTimeout(timer);
      this.#end = undefined;
    }
    this.#signalled = false;
  }
}
//# sourceMappingURL=wake-signal.js.map
