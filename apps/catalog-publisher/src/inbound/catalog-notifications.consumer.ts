import { BatchIntake, type Decoded } from '@gondola/messaging/batch-intake';
import { HEADER, type InRecord } from '@gondola/messaging/record-codec';
import { type RecordBatch, TopicHandler } from '@gondola/messaging/topic-handler';
import { tenantOf } from '@gondola/shared/tenant-of';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type TakenReport, TakeProductReports } from '../application/take-product-reports.ts';
import { CONFIG, type Config } from '../config.ts';
import { readReportNotification } from '../domain/read-report-notification.ts';
import { ProductWorkers } from './product-workers.ts';

/** `platform.notifications.catalog.v1` → reports beside the records that wait for them. */
@Controller()
export class CatalogNotificationsConsumer {
  readonly #intake: BatchIntake;
  readonly #take: TakeProductReports;
  readonly #workers: ProductWorkers;
  readonly #tenants: readonly string[];

  constructor(intake: BatchIntake, take: TakeProductReports, workers: ProductWorkers, @Inject(CONFIG) config: Config) {
    this.#intake = intake;
    this.#take = take;
    this.#workers = workers;
    this.#tenants = config.tenants.map(({ id }) => id);
  }

  @TopicHandler('platform.notifications.catalog.v1')
  async take(@Payload() batch: RecordBatch): Promise<void> {
    await this.#intake.store(
      batch,
      (record) => this.#decode(record),
      (tx, reports) => this.#take.insert(tx, reports),
    );
    this.#workers.nudge();
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
