import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';
import { Inject, Injectable } from '@nestjs/common';
import { orderOfBody } from './order-of-body.ts';
import { type Erasure, ErasuresRepository } from './erasures.repository.ts';
import { OperationsMetrics } from '../operations/operations.metrics.ts';

/** Bodies at a time; fewer from the quarantine, because they are read. */
const BATCH = 500;
const READ_BATCH = 20;

/**
 * Erases the bodies of notifications about an order. A notification that still waits is sent first and erased then,
 * since it exists nowhere else; one in a spool is erased once it is imported. The repeated `apply` does both. Tested in
 * erasures.int.spec.ts.
 */
@Injectable()
export class EraseOrder {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly metrics: OperationsMetrics,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Stores the request, and erases what may be erased now. */
  async run(tenant: string, orderNumber: string): Promise<Erasure> {
    const id = await this.erasures.add(tenant, orderNumber, new Date(this.clock.now()));
    this.logger.info({ tenant, orderNumber }, 'The content of an order is to be erased');
    await this.apply(() => false);
    const erasure = await this.erasures.find(id);
    if (erasure === null) throw new Error('An erasure that was just written is gone');
    return erasure;
  }

  /** Erases what may be erased by now, for all requests; ends early when it is to stop. */
  async apply(isStopping: () => boolean): Promise<void> {
    await this.#readQuarantine(isStopping);
    while (!isStopping()) {
      const counts = await this.erasures.apply(BATCH);
      for (const { tenant, notifications, quarantined } of counts) {
        const labels = { tenant, part: 'body', cause: 'erasure' } as const;
        this.metrics.forgotten({ ...labels, kind: 'notification' }, notifications);
        this.metrics.forgotten({ ...labels, kind: 'quarantine' }, quarantined);
      }
      if (counts.length === 0) return;
    }
  }

  async #readQuarantine(isStopping: () => boolean): Promise<void> {
    while (!isStopping()) {
      const unread = await this.erasures.unreadQuarantined(READ_BATCH);
      const found = unread.map(({ id, body }) => ({ id, subject: body === null ? null : orderOfBody(body) }));
      if (found.length > 0) await this.erasures.noteSubjects(found);
      if (found.length < READ_BATCH) return;
    }
  }
}
