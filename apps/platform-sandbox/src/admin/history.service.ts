import type { Core } from '../core/core.service.ts';
import type { Store } from '../store/store.service.ts';
import type { Deliveries, Delivery } from '../webhooks/deliveries.service.ts';
import type { Notifier } from '../webhooks/notifier.service.ts';

export interface HistoryServices {
  readonly store: Store;
  readonly core: Core;
  readonly deliveries: Deliveries;
  readonly notifier: Notifier;
  /** Number of the newest finished entries of each kind that remain. */
  readonly kept: number;
  readonly sweepMs: number;
}

/** Number of entries that one unit of work removes. */
const REMOVED_AT_ONCE = 1_000;

/** Removes old operations, refusals and notifications; unfinished ones never. Tested in test/history.e2e.spec.ts. */
export class History {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly services: HistoryServices) {}

  start(): void {
    this.timer = setInterval(() => this.sweep(), this.services.sweepMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  sweep(): void {
    const { core, deliveries, notifier, kept } = this.services;
    const { operations } = core;
    if (operations.size > kept) {
      this.remove(
        operations.values(),
        ({ state }) => state !== 'waiting',
        ({ seq }) => operations.delete(seq),
      );
    }
    if (notifier.rejections.size > kept) {
      this.remove(
        notifier.rejections.values(),
        () => true,
        ({ seq }) => notifier.rejections.delete(seq),
      );
    }
    if (deliveries.table.size > kept) {
      this.remove(deliveries.table.values(), isSent, ({ seq }) => deliveries.remove(seq));
      this.remove(
        deliveries.table.values(),
        ({ state }) => state === 'dead',
        ({ seq }) => deliveries.remove(seq),
      );
    }
  }

  /** Removes the oldest finished entries beyond those that are kept. */
  private remove<T extends { readonly seq: number }>(
    entries: Iterable<T>,
    isFinished: (entry: T) => boolean,
    remove: (entry: T) => void,
  ): void {
    const finished = [...entries].filter(isFinished).toSorted((one, other) => one.seq - other.seq);
    const old = finished.slice(0, Math.max(0, finished.length - this.services.kept));
    for (let begin = 0; begin < old.length; begin += REMOVED_AT_ONCE) {
      this.services.store.unit(() => old.slice(begin, begin + REMOVED_AT_ONCE).forEach(remove));
    }
  }
}

function isSent({ state }: Delivery): boolean {
  return state === 'delivered' || state === 'lost';
}
