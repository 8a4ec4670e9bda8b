import type { ParkedGroup, ParkedRecord, ReleasedRecord, ReleasedRecords } from '@gondola/messaging/parked/parked.dto';
import { type ParkedFilter, ParkedRows, ParkedSource } from '@gondola/messaging/parked/parked-source';
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
  readonly #rows: ParkedRows;

  constructor(
    database: Database,
    private readonly relay: NotificationRelay,
  ) {
    super();
    this.#rows = new ParkedRows(database, ROWS);
  }

  async list(...of: Parameters<ParkedSource['list']>): Promise<ParkedRecord[]> {
    return this.#rows.list(...of);
  }

  async find(id: string): Promise<ParkedRecord | null> {
    return this.#rows.find(id);
  }

  async groups(tenant: string | null): Promise<ParkedGroup[]> {
    return this.#rows.groups(tenant);
  }

  async release(id: string): Promise<ReleasedRecord | null> {
    const released = await this.#rows.release(id);
    this.relay.wake();
    return released;
  }

  async releaseAll(filter: ParkedFilter): Promise<ReleasedRecords> {
    const released = await this.#rows.releaseAll(filter);
    this.relay.wake();
    return released;
  }
}
