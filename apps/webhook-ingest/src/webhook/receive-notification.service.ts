import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';
import { Inject, Injectable } from '@nestjs/common';
import { Incoming, type Receiver } from '../notifications/read-notification.ts';
import { InboxOrSpool } from '../spool/inbox-or-spool.service.ts';
import { WebhookMetrics } from './webhook.metrics.ts';

/**
 * Stores the deliveries of authenticated senders (guarantee 1, rules 2, 4). Tested in webhook.int.spec.ts and
 * postgres-outages.long.spec.ts.
 */
@Injectable()
export class ReceiveNotification {
  constructor(
    @Inject(InboxOrSpool) private readonly inboxOrSpool: Pick<InboxOrSpool, 'store'>,
    private readonly metrics: WebhookMetrics,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * True: the bytes are on a disk and may be answered 200, as a new notification, as a repeat, in the quarantine or
   * in the spool. False: that is unknown; a commit may still happen, and the sender's next delivery is then a
   * repeat.
   */
  async receive(receiver: Receiver, body: Buffer, traceparent: string): Promise<boolean> {
    const tenant = receiver.id;
    const item = new Incoming(receiver, { tenant, body, traceparent, receivedAt: new Date(this.clock.now()) });
    try {
      this.metrics.received(tenant, await this.inboxOrSpool.store(item));
      return true;
    } catch (err) {
      this.metrics.received(tenant, 'not-stored');
      const fields = { tenant, err, bytes: body.length, traceparent };
      this.logger.error(
        fields,
        'A delivery could be stored neither in the inbox nor in the spool and was answered 503',
      );
      return false;
    }
  }
}
