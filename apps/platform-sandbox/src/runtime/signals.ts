/** Wakes all waiting callers. */
export class Signal {
  private coming = Promise.withResolvers<void>();

  give(): void {
    const { resolve } = this.coming;
    this.coming = Promise.withResolvers<void>();
    resolve();
  }

  /** To be called before the state is read, so that no signal is missed. */
  next(): Promise<void> {
    return this.coming.promise;
  }
}

export class Signals {
  /** Given after new work for the core. */
  readonly core = new Signal();
  /** Given after new work for the sender. */
  readonly sender = new Signal();
  /** Given when core or sender have done something. */
  readonly rest = new Signal();
}
