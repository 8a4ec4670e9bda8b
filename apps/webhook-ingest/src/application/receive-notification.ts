import { classifyDatabaseError } from '@gondola/service-kit/database-errors';
import type { Logger } from '@gondola/service-kit/logger';
import { safeError } from '@gondola/service-kit/safe-error';
import {
  type Notification,
  type Quarantined,
  quarantined,
  readNotification,
  type ReadNotification,
  type Receiver,
} from '../domain/read-notification.ts';
import type { NotificationsRepository, ReceivedBody } from '../outbound/notifications.repository.ts';
import type { IngestMetrics } from './ingest-metrics.ts';
import { OutOfTimeError, tryWithin } from './try-within.ts';

export interface ReceiveNotificationParts {
  readonly notifications: NotificationsRepository;
  readonly metrics: IngestMetrics;
  readonly logger: Logger;
  readonly now: () => Date;
  /** Something new waits to be relayed. */
  readonly onStored: () => void;
}

type Stored = 'stored' | 'repeated' | 'quarantined';

/**
 * The inbox' budget: the sender is answered well within a second (rule 4). What is left of it after a failure is used, because the platform
 * sends three times without a pause and then forgets.
 */
const BUDGET = {
  budgetMs: 800,
  pauseMs: 50,
  isTransient: (error: unknown) => classifyDatabaseError(error) === 'transient',
};

/** Takes what an authenticated sender delivers (guarantee 1, rules 2, 4). Tested in webhook.int.spec.ts and postgres-outages.e2e.spec.ts. */
export class ReceiveNotification {
  readonly #parts: ReceiveNotificationParts;

  constructor(parts: ReceiveNotificationParts) {
    this.#parts = parts;
  }

  /**
   * True means that the bytes are committed and may be answered 200, as new ones, as a repeat, or in quarantine. False means that this is
   * not known; a commit may still come, and the sender's next delivery is then a repeat.
   */
  async receive(receiver: Receiver, body: Buffer, traceparent: string): Promise<boolean> {
    const { logger, metrics, now } = this.#parts;
    const tenant = receiver.id;
    const received: ReceivedBody = { tenant, body, traceparent, receivedAt: now() };
    try {
      const read = readNotification(receiver, body);
      const outcome = await tryWithin(BUDGET, () => this.#store(read, received));
      metrics.received(tenant, outcome);
      return true;
    } catch (error) {
      metrics.received(tenant, 'not-stored');
      const err = error instanceof OutOfTimeError ? (error.cause ?? error) : error;
      const fields = { tenant, err, bytes: body.length, traceparent };
      logger.error(fields, 'A notification could not be stored in time and was answered 503');
      return false;
    }
  }

  async #store(read: ReadNotification, received: ReceivedBody): Promise<Stored> {
    if (read.kind === 'quarantine') return this.#quarantine(read.quarantined, received);
    try {
      return await this.#insert(read.notification, received);
    } catch (error) {
      if (BUDGET.isTransient(error)) throw error;
      return await this.#keepUnstorable(error, received);
    }
  }

  async #insert(notification: Notification, received: ReceivedBody): Promise<Stored> {
    const { notifications, logger, onStored } = this.#parts;
    const { operationId, eventType, relatedEntity } = notification;
    const { tenant, traceparent } = received;
    const outcome = (await notifications.insert(notification, received)) ? 'stored' : 'repeated';
    if (outcome === 'stored') onStored();
    logger.debug({ tenant, operationId, eventType, relatedEntity, outcome, traceparent }, 'Notification received');
    return outcome;
  }

  /** The inbox refuses this row now and for ever; sent again it would be refused again, and then forgotten. */
  async #keepUnstorable(err: unknown, received: ReceivedBody): Promise<Stored> {
    const { tenant, body, traceparent } = received;
    this.#parts.logger.error({ tenant, err, bytes: body.length, traceparent }, 'The inbox refuses a notification');
    const { code, name } = safeError(err);
    return this.#quarantine(quarantined(tenant, body, 'NOT_STORABLE', code ?? name), received);
  }

  async #quarantine(entry: Quarantined, received: ReceivedBody): Promise<Stored> {
    const { notifications, logger } = this.#parts;
    if (!(await notifications.quarantine(entry, received))) return 'repeated';
    const { tenant, body, traceparent } = received;
    const fields = { tenant, reasonCode: entry.reason, detail: entry.detail, bytes: body.length, traceparent };
    logger.warn(fields, 'A notification is in quarantine');
    return 'quarantined';
  }
}
