import { ParkedSource } from '@gondola/operations/parked/parked-source';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { NotificationRelay } from './notification-relay.service.ts';

/** One whose content is erased stays as it is: it has nothing left to publish. */
const ROWS = {
  table: 'notifications',
  id: 'id',
  tenant: 'tenant',
  reason: `coalesce(parked_reason, '')`,
  storedAt: 'received_at',
  bytes: 'coalesce(length(body), 0)',
  subject: 'subject',
  type: 'event_type',
  where: 'parked_at IS NOT NULL AND body IS NOT NULL',
};

/** Parked notifications. Tested in parked-notifications.repository.int.spec.ts. */
@Injectable()
export class ParkedNotifications extends ParkedSource {
  constructor(database: Database, relay: NotificationRelay) {
    super(database, ROWS, relay);
  }
}
