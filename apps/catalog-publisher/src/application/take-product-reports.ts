import type { BatchIntake, Decoded } from '@gondola/messaging/batch-intake';
import { type LaneKey, type Lanes, laneText } from '@gondola/messaging/lanes';
import type { InRecord } from '@gondola/messaging/record-codec';
import type { RecordBatch } from '@gondola/messaging/topic-handler';
import type { Tx } from '@gondola/service-kit/database';
import type { ReportNotification } from '../domain/read-report-notification.ts';
import type { ProductReportsRepository } from '../outbound/product-reports.repository.ts';

export interface TakenReport {
  readonly tenant: string;
  /** The notification's key. */
  readonly dedupKey: string;
  readonly notification: ReportNotification;
}

export interface TakeProductReportsParts {
  readonly intake: BatchIntake;
  readonly lanes: Lanes;
  readonly reports: ProductReportsRepository;
  readonly nudge: () => void;
}

/** Stores the platform's reports beside the records of their products, and wakes these: an outcome may come before the answer (rule 25). */
export class TakeProductReports {
  readonly #parts: TakeProductReportsParts;

  constructor(parts: TakeProductReportsParts) {
    this.#parts = parts;
  }

  async take(batch: RecordBatch, decode: (record: InRecord) => Decoded<TakenReport>): Promise<void> {
    await this.#parts.intake.store(batch, decode, (tx, reports) => this.#insert(tx, reports));
    this.#parts.nudge();
  }

  async #insert(tx: Tx, reports: readonly TakenReport[]): Promise<void> {
    const ids = await this.#parts.lanes.wake(tx, reports.map(laneOf));
    await this.#parts.reports.insert(
      tx,
      reports.map((report) => ({
        laneId: ids.get(laneText(laneOf(report)))!,
        dedupKey: report.dedupKey,
        operationId: report.notification.operationId,
        eventType: report.notification.eventType,
        data: Buffer.from(report.notification.data),
      })),
    );
  }
}

function laneOf({ tenant, notification }: TakenReport): LaneKey {
  return { tenant, kind: 'product', identity: notification.externalReference };
}
