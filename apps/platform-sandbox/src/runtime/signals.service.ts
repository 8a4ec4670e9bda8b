import { Injectable } from '@nestjs/common';

/** Wakes all waiting callers. */
class Signal {
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

@Injectable()
export class Signals {
  /** Given after the commit of new work for the core. */
  readonly core = new Signal();
  /** Given after the commit of new work for the sender. */
  readonly sender = new Signal();
  /** Given when the sender, which the core wakes after each transaction, is idle. */
  readonly rest = new Signal();
}

export async function atMost(ms: number, event: Promise<void>): Promise<void> {
  const expired = Promise.withResolvers<void>();
  const timer = setTimeout(expired.resolve, ms);
  await Promise.race([event, expired.promise]);
  clearTimeout(timer);
}
