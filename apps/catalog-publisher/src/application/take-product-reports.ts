import { type LaneKey, type Lanes, laneText } from '@gondola/messaging/lanes';
import type { Tx } from '@gondola/service-kit/database';
import type { ReportNotification } from '../domain/read-report-notification.ts';
import type { ProductReportsRepository } from '../outbound/product-reports.repository.ts';

export interface TakenReport {
  readonly tenant: string;
  /** The notification's key. */
  readonly dedupKey: string;
  readonly notification: ReportNotification;
}

/** Stores the platform's reports beside the records of their products, and wakes these: an outcome may come before the answer (rule 25). */
export class TakeProductReports {
  readonly #lanes: Lanes;
  readonly #reports: ProductReportsRepository;

  constructor(parts: { lanes: Lanes; reports: ProductReportsRepository }) {
    this.#lanes = parts.lanes;
    this.#reports = parts.reports;
  }

  async insert(tx: Tx, reports: readonly TakenReport[]): Promise<void> {
    const ids = await this.#lanes.wake(tx, reports.map(laneOf));
    await this.#reports.insert(
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
