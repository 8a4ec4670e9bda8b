import type { Logger } from '@gondola/service-kit/logger';
import { Counter, type Registry } from 'prom-client';
import { type Receiver, readNotification } from '../domain/read-notification.ts';
import type { NotificationsRepository, ReceivedBody } from '../outbound/notifications.repository.ts';

export interface ReceiveNotificationParts {
  readonly notifications: NotificationsRepository;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Something new waits to be relayed. */
  readonly onStored: () => void;
}

type Outcome = 'stored' | 'repeated' | 'quarantined' | 'too-large' | 'not-stored';

/** Takes what an authenticated sender delivers. Tested in webhook.int.spec.ts. */
export class ReceiveNotification {
  readonly #parts: ReceiveNotificationParts;
  readonly #received: Counter<'tenant' | 'outcome'>;

  constructor(parts: ReceiveNotificationParts) {
    this.#parts = parts;
    this.#received = new Counter({
      name: 'gondola_notifications_received_total',
      help: 'Deliveries of the webhook, by what became of them',
      labelNames: ['tenant', 'outcome'],
      registers: [parts.registry],
    });
  }

  /** True means that the bytes are committed and may be answered 200 (guarantee 1), as new ones, as a repeat, or in quarantine. */
  async receive(receiver: Receiver, body: Buffer, traceparent: string): Promise<boolean> {
    const { logger, now } = this.#parts;
    const tenant = receiver.id;
    try {
      const outcome = await this.#store(receiver, { tenant, body, traceparent, receivedAt: now() });
      this.#received.inc({ tenant, outcome });
      return true;
    } catch (err) {
      this.#received.inc({ tenant, outcome: 'not-stored' satisfies Outcome });
      logger.error(
        { tenant, err, bytes: body.length, traceparent },
        'A notification could not be stored and was answered 503',
      );
      return false;
    }
  }

  /** A delivery over the limit was answered 413: the platform will not send it smaller, so somebody has to raise the limit. */
  tooLarge(tenant: string, limit: number): void {
    this.#received.inc({ tenant, outcome: 'too-large' satisfies Outcome });
    this.#parts.logger.error(
      { tenant, limit, reasonCode: 'BODY_TOO_LARGE' },
      'A notification is over the size limit (MAX_BODY_BYTES)',
    );
  }

  async #store(receiver: Receiver, received: ReceivedBody): Promise<Outcome> {
    const { notifications, logger, onStored } = this.#parts;
    const read = readNotification(receiver, received.body);
    const { tenant, traceparent } = received;
    if (read.kind === 'quarantine') {
      if (!(await notifications.quarantine(read, received))) return 'repeated';
      const fields = { tenant, reasonCode: read.reason, detail: read.detail, bytes: received.body.length, traceparent };
      logger.warn(fields, 'A notification is in quarantine');
      return 'quarantined';
    }
    const { operationId, eventType, relatedEntity } = read.notification;
    const outcome = (await notifications.insert(read.notification, received)) ? 'stored' : 'repeated';
    if (outcome === 'stored') onStored();
    logger.debug({ tenant, operationId, eventType, relatedEntity, outcome, traceparent }, 'Notification received');
    return outcome;
  }
}
