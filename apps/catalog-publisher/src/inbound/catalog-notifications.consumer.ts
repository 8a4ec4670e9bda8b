import type { Decoded } from '@gondola/messaging/batch-intake';
import { HEADER, type InRecord } from '@gondola/messaging/record-codec';
import { type RecordBatch, TopicHandler } from '@gondola/messaging/topic-handler';
import { tenantOf } from '@gondola/shared/tenant-of';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type TakenReport, TakeProductReports } from '../application/take-product-reports.ts';
import { CONFIG, type Config } from '../config.ts';
import { readReportNotification } from '../domain/read-report-notification.ts';

/** `platform.notifications.catalog.v1` → reports beside the records that wait for them. */
@Controller()
export class CatalogNotificationsConsumer {
  readonly #take: TakeProductReports;
  readonly #tenants: readonly string[];

  constructor(take: TakeProductReports, @Inject(CONFIG) config: Config) {
    this.#take = take;
    this.#tenants = config.tenants.map(({ id }) => id);
  }

  @TopicHandler('platform.notifications.catalog.v1')
  async take(@Payload() batch: RecordBatch): Promise<void> {
    await this.#take.take(batch, (record) => this.#decode(record));
  }

  #decode(record: InRecord): Decoded<TakenReport> {
    const tenant = tenantOf({ header: record.header(HEADER.tenant), field: undefined, known: this.#tenants });
    if (!tenant.ok) return { kind: 'dead-letter', code: 'TENANT_UNKNOWN', reason: `the tenant is ${tenant.why}` };
    const dedupKey = record.header(HEADER.id);
    if (record.value === null || dedupKey === undefined) {
      return { kind: 'dead-letter', code: 'IDENTITY_MISSING', reason: 'no value or no ce_id', tenant: tenant.tenant };
    }
    const read = readReportNotification(record.value);
    if (read.kind === 'none') return { kind: 'skip', why: read.why };
    return {
      kind: 'item',
      tenant: tenant.tenant,
      item: { tenant: tenant.tenant, dedupKey, notification: read.notification },
    };
  }
}
