import { Injectable } from '@nestjs/common';

/** Wakes all who wait for it. */
class Signal {
  private coming = Promise.withResolvers<void>();

  give(): void {
    const { resolve } = this.coming;
    this.coming = Promise.withResolvers<void>();
    resolve();
  }

  /** To be taken before looking for what the signal is about, so that none is missed. */
  next(): Promise<void> {
    return this.coming.promise;
  }
}

@Injectable()
export class Signals {
  /** Given after the commit of what the core is to find. */
  readonly core = new Signal();
  /** Given after the commit of what the sender is to find. */
  readonly sender = new Signal();
  /** Given when the sender, which the core wakes after each transaction, has nothing under way and nothing to begin. */
  readonly rest = new Signal();
}

export async function atMost(ms: number, event: Promise<void>): Promise<void> {
  const expired = Promise.withResolvers<void>();
  const timer = setTimeout(expired.resolve, ms);
  await Promise.race([event, expired.promise]);
  clearTimeout(timer);
}
