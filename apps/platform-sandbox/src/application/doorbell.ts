import { Injectable } from '@nestjs/common';

/** Wakes a worker that waits for work. A ring while it works is not forgotten. */
class Doorbell {
  private rung = false;
  private wake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  /** Until the next ring, or for so long at most. */
  async wait(ms: number): Promise<void> {
    if (!this.rung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      this.wake = resolve;
      await promise;
      clearTimeout(timer);
      this.wake = undefined;
    }
    this.rung = false;
  }
}

/** Tells all who wait for it. */
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
export class Doorbells {
  /** Rung after the commit of what the worker is to find. */
  readonly core = new Doorbell();
  readonly sender = new Doorbell();
  /** Given when the sender, which the core rings after each transaction, has nothing under way and nothing to begin. */
  readonly rest = new Signal();
}
