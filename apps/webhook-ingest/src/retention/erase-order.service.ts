import type { Logger } from '@gondola/service-kit/logging/logger';
import { orderOfBody } from './order-of-body.ts';
import type { Erasure, ErasuresRepository } from './erasures.repository.ts';
import type { OperationsMetrics } from '../operations/operations.metrics.ts';

export interface EraseOrderParts {
  readonly erasures: ErasuresRepository;
  readonly metrics: OperationsMetrics;
  readonly logger: Logger;
  readonly now: () => Date;
}

/** Contents at a time; of the quarantine fewer, because they are read. */
const BATCH = 500;
const READ_BATCH = 20;

/**
 * Erases the contents of what was received about an order. What still waits is sent first and erased then, since it
 * exists nowhere else; what stands in a spool follows once it is imported: both by the repeated `apply`. Tested in
 * erasures.int.spec.ts.
 */
export class EraseOrder {
  readonly #parts: EraseOrderParts;

  constructor(parts: EraseOrderParts) {
    this.#parts = parts;
  }

  /** Writes the wish down, and erases what may be erased now. */
  async run(tenant: string, orderNumber: string): Promise<Erasure> {
    const { erasures, logger, now } = this.#parts;
    const id = await erasures.add(tenant, orderNumber, now());
    logger.info({ tenant, orderNumber }, 'The content of an order is to be erased');
    await this.apply(() => false);
    const erasure = await erasures.find(id);
    if (erasure === null) throw new Error('An erasure that was just written is gone');
    return erasure;
  }

  /** Erases all that may be erased by now, for whoever asked; ends early when it is to stop. */
  async apply(isStopping: () => boolean): Promise<void> {
    await this.#readQuarantine(isStopping);
    const { erasures, metrics } = this.#parts;
    while (!isStopping()) {
      const counts = await erasures.apply(BATCH);
      for (const { tenant, notifications, quarantined } of counts) {
        const labels = { tenant, part: 'body', cause: 'erasure' } as const;
        metrics.forgotten({ ...labels, kind: 'notification' }, notifications);
        metrics.forgotten({ ...labels, kind: 'quarantine' }, quarantined);
      }
      if (counts.length === 0) return;
    }
  }

  async #readQuarantine(isStopping: () => boolean): Promise<void> {
    const { erasures } = this.#parts;
    while (!isStopping()) {
      const unread = await erasures.unreadQuarantined(READ_BATCH);
      const found = unread.map(({ id, body }) => ({ id, subject: body === null ? null : orderOfBody(body) }));
      if (found.length > 0) await erasures.noteSubjects(found);
      if (found.length < READ_BATCH) return;
    }
  }
}
