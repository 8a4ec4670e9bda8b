import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, Not, type FindOptionsSelect, type FindOptionsWhere } from 'typeorm';
import type { NotificationFilter, NotificationState } from './notification-filter.ts';
import { NotificationEntity } from '../inbox/notification.entity.ts';

const ENTRY = {
  id: true,
  tenant: true,
  operationId: true,
  eventType: true,
  relatedEntity: true,
  subject: true,
  topic: true,
  dedupKey: true,
  bytes: true,
  receivedAt: true,
  state: true,
  sentAt: true,
  parkedReason: true,
  bodyErasedAt: true,
} as const satisfies FindOptionsSelect<NotificationEntity>;

/** Fields shown to operators. */
export const SHOWN_FIELDS = Object.keys(ENTRY) as (keyof typeof ENTRY)[];

/** A notification without its content, as shown to operators. */
export type NotificationEntry = Readonly<Pick<NotificationEntity, keyof typeof ENTRY>>;

/** Condition of each state, written as its index is. */
const IN_STATE: Readonly<Record<NotificationState, FindOptionsWhere<NotificationEntity>>> = {
  waiting: { topic: Not(IsNull()), sentAt: IsNull(), parkedAt: IsNull() },
  sent: { sentAt: Not(IsNull()) },
  parked: { parkedAt: Not(IsNull()) },
  untold: { topic: IsNull() },
};

/** Searches the inbox (`GET /api/notifications`). Tested in notifications.int.spec.ts. */
@Injectable()
export class NotificationSearchRepository {
  constructor(private readonly database: Database) {}

  /** Notifications with an id below `before`, newest first. */
  async list(filter: NotificationFilter, before: string, limit: number): Promise<NotificationEntry[]> {
    const { tenant, operationId, eventType, relatedEntity, partitionKeys, state } = filter;
    return this.database.repository(NotificationEntity).find({
      select: ENTRY,
      where: {
        id: LessThan(before),
        ...(tenant !== undefined && { tenant }),
        ...(operationId !== undefined && { operationId }),
        ...(eventType !== undefined && { eventType }),
        ...(relatedEntity !== undefined && { relatedEntity }),
        ...(partitionKeys !== undefined && { partitionKey: In(partitionKeys) }),
        ...(state !== undefined && IN_STATE[state]),
      },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /** The notification with this id, or null. */
  async find(id: string): Promise<NotificationEntry | null> {
    return this.database.repository(NotificationEntity).findOne({ select: ENTRY, where: { id } });
  }

  /** The content as received; null if it is erased. */
  async bodyOf(id: string): Promise<Buffer | null> {
    const found = await this.database.repository(NotificationEntity).findOne({ select: { body: true }, where: { id } });
    return found?.body ?? null;
  }
}
