import { classifyDatabaseError, DatabaseUnavailableError } from '@gondola/service-kit/database/database-errors';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { safeError } from '@gondola/service-kit/logging/safe-error';
import { Inject, Injectable } from '@nestjs/common';
import { NotificationRelay } from '../relay/notification-relay.service.ts';
import {
  type Incoming,
  type NewNotification,
  type NewQuarantined,
  quarantined,
  type ReceivedBody,
} from '../notifications/read-notification.ts';
import { NotificationsRepository } from './notifications.repository.ts';

/** Limits of one statement. */
export const GROUP_LIMIT = { maxItems: 500, maxBytes: 4 * 1_048_576 };

export type Stored = 'stored' | 'repeated' | 'quarantined';

type Outcomes = Map<ReceivedBody, Stored>;

/**
 * Stores a group of bodies: one statement for all notifications, one for all other bodies. Equal bodies of a group
 * are stored once. A row whose values PostgreSQL refuses is found by halving the group and goes into the quarantine
 * alone: it never fails its neighbours (guarantee 1, rules 1, 2, 4). Any other failure, such as refused credentials, is
 * no row's fault and fails the group. Tested in inbox.service.int.spec.ts.
 */
@Injectable()
export class Inbox {
  constructor(
    @Inject(NotificationsRepository)
    private readonly notifications: Pick<NotificationsRepository, 'insert' | 'quarantine'>,
    @Inject(NotificationRelay) private readonly relay: Pick<NotificationRelay, 'publish'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Returns one outcome per item, in item order, after the commit. Throws if the outcome is unknown; a repeat is
   * safe then.
   */
  async storeAll(items: readonly Incoming[]): Promise<Stored[]> {
    try {
      return await this.#storeAll(items);
    } catch (error) {
      // A pooled connection that broke since its last use does not mean that the server is away: try once more on
      // another one.
      if (error instanceof DatabaseUnavailableError) throw error;
      return await this.#storeAll(items);
    }
  }

  async #storeAll(items: readonly Incoming[]): Promise<Stored[]> {
    const outcomes: Outcomes = new Map();
    const notifications: NewNotification[] = [];
    const others: NewQuarantined[] = [];
    for (const { read, received } of items) {
      if (read.kind === 'notification') notifications.push({ ...read.notification, received });
      else others.push({ ...read.quarantined, received });
    }
    if (notifications.length > 0) await this.#insert(firstOfEach(notifications, outcomes), outcomes);
    if (others.length > 0) await this.#quarantine(firstOfEach(others, outcomes), outcomes);
    return items.map(({ received }) => outcomes.get(received)!);
  }

  async #insert(rows: readonly NewNotification[], outcomes: Outcomes): Promise<void> {
    try {
      const stored = await this.notifications.insert(rows);
      const { ids } = stored;
      if (ids.some((id) => id !== null)) this.relay.publish(stored);
      for (const [index, row] of rows.entries())
        this.#conclude(row, ids[index] === null ? 'repeated' : 'stored', outcomes);
    } catch (error) {
      const [first, ...others] = rows;
      if (!isOfRow(error) || first === undefined) throw error;
      if (others.length === 0) return await this.#quarantineUnstorable(first, error, outcomes);
      const middle = Math.ceil(rows.length / 2);
      await this.#insert(rows.slice(0, middle), outcomes);
      await this.#insert(rows.slice(middle), outcomes);
    }
  }

  #conclude({ operationId, eventType, relatedEntity, received }: NewNotification, outcome: Stored, to: Outcomes): void {
    const { tenant, traceparent } = received;
    to.set(received, outcome);
    if (!this.logger.isLevelEnabled('debug')) return;
    const fields = { tenant, operationId, eventType, relatedEntity, outcome, traceparent };
    this.logger.debug(fields, 'A notification was received');
  }

  /**
   * The inbox always refuses this row. If the platform delivered it again, it would be refused again and then lost.
   */
  async #quarantineUnstorable({ received }: NewNotification, err: unknown, outcomes: Outcomes): Promise<void> {
    const { tenant, body, traceparent } = received;
    this.logger.error({ tenant, err, bytes: body.length, traceparent }, 'The inbox refuses a notification');
    const { code, name } = safeError(err);
    const entry = quarantined(tenant, body, 'NOT_STORABLE', code ?? name);
    await this.#quarantine([{ ...entry, received }], outcomes);
  }

  async #quarantine(rows: readonly NewQuarantined[], outcomes: Outcomes): Promise<void> {
    const { ids } = await this.notifications.quarantine(rows);
    for (const [index, { reason, detail, received }] of rows.entries()) {
      const isNew = ids[index] !== null;
      outcomes.set(received, isNew ? 'quarantined' : 'repeated');
      const { tenant, body, traceparent } = received;
      const fields = { tenant, reasonCode: reason, detail, bytes: body.length, traceparent };
      if (isNew) this.logger.warn(fields, 'A notification is in quarantine');
    }
  }
}

function isOfRow(error: unknown): boolean {
  return classifyDatabaseError(error) === 'data';
}

/** First row of each dedup key; the others are repeats of it. */
function firstOfEach<R extends { dedupKey: string; received: ReceivedBody }>(
  rows: readonly R[],
  outcomes: Outcomes,
): R[] {
  const firsts = new Map<string, R>();
  for (const row of rows) {
    if (firsts.has(row.dedupKey)) outcomes.set(row.received, 'repeated');
    else firsts.set(row.dedupKey, row);
  }
  return [...firsts.values()];
}
