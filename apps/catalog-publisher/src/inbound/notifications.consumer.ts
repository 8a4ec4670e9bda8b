import type { Decoded } from '@gondola/messaging/consume/batch-intake';
import { HEADER, type InRecord } from '@gondola/messaging/codec/record-codec';
import { type RecordBatch, TopicHandler } from '@gondola/messaging/consume/topic-handler';
import { tenantOf } from '@gondola/shared/topics/tenant-of';
import { TENANTS } from '@gondola/service-kit/run/injected';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type TakenNotification, TakeNotifications } from '../application/take-notifications.service.ts';
import { readNotification } from '../domain/read-notification.ts';

/**
 * `platform.notifications.catalog.v1`, and the `Operation_Failed` of our operations on
 * `platform.notifications.orders.v1`.
 */
@Controller()
export class NotificationsConsumer {
  readonly #tenants: readonly string[];

  constructor(
    private readonly notifications: TakeNotifications,
    @Inject(TENANTS) tenants: ReadonlyArray<{ readonly id: string }>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  @TopicHandler('platform.notifications.catalog.v1')
  async takeCatalog(@Payload() batch: RecordBatch): Promise<void> {
    await this.notifications.take(batch, (record) => this.#decode(record));
  }

  /** Orders are another app's, which tells what of that topic cannot be understood. */
  @TopicHandler('platform.notifications.orders.v1')
  async takeFailures(@Payload() batch: RecordBatch): Promise<void> {
    await this.notifications.take(batch, (record) => {
      const decoded = this.#decode(record);
      return decoded.kind === 'dead-letter' ? { kind: 'skip', why: 'not-ours' } : decoded;
    });
  }

  #decode(record: InRecord): Decoded<TakenNotification> {
    const tenant = tenantOf({ header: record.header(HEADER.tenant), field: undefined, known: this.#tenants });
    if (!tenant.ok) return { kind: 'dead-letter', code: 'TENANT_UNKNOWN', reason: `the tenant is ${tenant.why}` };
    const dedupKey = record.header(HEADER.id);
    if (record.value === null || dedupKey === undefined) {
      return { kind: 'dead-letter', code: 'IDENTITY_MISSING', reason: 'no value or no ce_id', tenant: tenant.tenant };
    }
    const read = readNotification(record.value);
    if (read.kind === 'none') return { kind: 'skip', why: read.why };
    return { kind: 'item', tenant: tenant.tenant, item: { ...read, tenant: tenant.tenant, dedupKey } };
  }
}
