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

/** Rung after the commit of what the worker is to find. */
@Injectable()
export class Doorbells {
  readonly core = new Doorbell();
  readonly sender = new Doorbell();
}
