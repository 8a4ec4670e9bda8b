import type { Core } from '../core/core.service.ts';
import { atMost } from '../runtime/clock.service.ts';
import type { Signals } from '../runtime/signals.ts';
import type { Deliveries } from './deliveries.service.ts';

/** Core and sender signal what they did; this interval is only a safety net. */
const LOOK_AGAIN_MS = 1_000;

/** Number of operations that the core has not taken, and of notifications that are neither delivered nor given up. */
export interface OpenWork {
  readonly waitingOperations: number;
  readonly pendingDeliveries: number;
}

/** Waits until the core and the sender are idle. */
export class Quiet {
  constructor(
    private readonly core: Core,
    private readonly deliveries: Deliveries,
    private readonly signals: Signals,
  ) {}

  /** Waits for all operations, or for one. Returns the work that is still open when the wait ends or times out. */
  async wait(timeoutMs: number, operationId?: string): Promise<OpenWork> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const rest = this.signals.rest.next();
      const open = operationId === undefined ? this.open() : this.openOf(operationId);
      const leftMs = deadline - performance.now();
      if (isQuiet(open) || leftMs <= 0) return open;
      await atMost(Math.min(LOOK_AGAIN_MS, leftMs), rest);
    }
  }

  open(): OpenWork {
    return { waitingOperations: this.core.waiting, pendingDeliveries: this.deliveries.pending };
  }

  private openOf(operationId: string): OpenWork {
    const pending = this.deliveries.ofOperation(operationId).filter(({ state }) => state === 'pending');
    return { waitingOperations: this.core.calls.get(operationId)?.waiting ?? 0, pendingDeliveries: pending.length };
  }
}

export function isQuiet({ waitingOperations, pendingDeliveries }: OpenWork): boolean {
  return waitingOperations === 0 && pendingDeliveries === 0;
}
