import type { ReadAnswer } from '@gondola/platform-client/answers';
import { applied, refused } from '@gondola/shared/results/conclusion';
import { Injectable } from '@nestjs/common';
import type { ReadInvoiceFile } from '../commands/file-command.ts';
import { type FileStep, concludedUnsent, type LaneWork } from '../commands/file-step.ts';
import { OrderIdsRepository } from '../notifications/order-ids.repository.ts';
import { FailedReads } from '../commands/failed-reads.service.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';

/**
 * One step of a `ReadInvoice`: finds the order's GUID in the notifications, else in the order's payload, and then
 * reads its file (rule 33).
 */
@Injectable()
export class ReadInvoice {
  constructor(
    private readonly orderIds: OrderIdsRepository,
    private readonly platform: PlatformAdapter,
    private readonly failedReads: FailedReads,
  ) {}

  async step(work: LaneWork, { orderNumber }: ReadInvoiceFile): Promise<FileStep> {
    const { language } = work.tenant;
    const order = await this.#orderId(work, orderNumber);
    if (order.kind === 'not-found') {
      const params = { given: orderNumber };
      return concludedUnsent(
        refused(language, { evidence: 'read-back', platform: null, code: 'ORDER_UNKNOWN', params }),
      );
    }
    if (order.kind !== 'found') return this.failedReads.step(work, order);
    const file = await this.platform.findInvoice(order.value, work.call);
    if (file.kind === 'refused' || file.kind === 'unavailable') return this.failedReads.step(work, file);
    const attached = file.kind === 'found';
    const { mediaType, urls, answer } = attached ? file.value : { mediaType: null, urls: [], answer: null };
    const data = { orderNumber, orderId: order.value, attached, mediaType, urls, answer };
    return concludedUnsent(applied('read-back', { data }));
  }

  async #orderId({ lane, call }: LaneWork, orderNumber: number): Promise<ReadAnswer<string>> {
    const known = await this.orderIds.find(lane.tenant, orderNumber);
    return known === null ? this.platform.findOrderId(orderNumber, call) : { kind: 'found', value: known };
  }
}
