import type { Logger } from '@gondola/service-kit/logging/logger';
import type { Receiver } from '../notifications/read-notification.ts';
import type { Stored } from '../inbox/inbox.service.ts';
import { Incoming } from '../notifications/incoming.ts';
import type { IngestMetrics } from './webhook.metrics.ts';

export interface ReceiveNotificationParts {
  /** Returns when it is on a disk, and throws when that is not known. */
  readonly keep: (item: Incoming) => Promise<Stored | 'spooled'>;
  readonly metrics: IngestMetrics;
  readonly logger: Logger;
  readonly now: () => Date;
}

/**
 * Takes what an authenticated sender delivers (guarantee 1, rules 2, 4). Tested in webhook.int.spec.ts and
 * postgres-outages.e2e.spec.ts.
 */
export class ReceiveNotification {
  readonly #parts: ReceiveNotificationParts;

  constructor(parts: ReceiveNotificationParts) {
    this.#parts = parts;
  }

  /**
   * True means that the bytes are on a disk and may be answered 200: as new ones, as a repeat, in quarantine, or in the
   * spool. False means that this is not known; a commit may still come, and the sender's next delivery is then a
   * repeat.
   */
  async receive(receiver: Receiver, body: Buffer, traceparent: string): Promise<boolean> {
    const { keep, logger, metrics, now } = this.#parts;
    const tenant = receiver.id;
    const item = new Incoming(receiver, { tenant, body, traceparent, receivedAt: now() });
    try {
      metrics.received(tenant, await keep(item));
      return true;
    } catch (err) {
      metrics.received(tenant, 'not-stored');
      const fields = { tenant, err, bytes: body.length, traceparent };
      logger.error(fields, 'A notification could be stored nowhere and was answered 503');
      return false;
    }
  }
}
