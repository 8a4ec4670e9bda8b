import { Clock } from '@gondola/service-kit/run/clock';
import { applied, refused, unconfirmed } from '@gondola/shared/results/conclusion';
import { Injectable } from '@nestjs/common';
import type { ReadInvoiceFile } from '../commands/file-command.ts';
import { type CommandTurn, concludedUnsent, type LaneWork } from '../lanes/command-turn.service.ts';
import { OrderIdsRepository } from '../notifications/order-ids.repository.ts';
import { type NotDone, PlatformAdapter, type ReadAnswer } from '../platform/platform.adapter.ts';
import { afterFailedRead, readProgressFromText } from './read-progress.ts';

/**
 * One step of a `ReadInvoice`: the order's GUID, by the notifications or else by the order's payload, and then its file
 * (rule 33).
 */
@Injectable()
export class ReadInvoice {
  constructor(
    private readonly orderIds: OrderIdsRepository,
    private readonly platform: PlatformAdapter,
    private readonly clock: Clock,
  ) {}

  async step(work: LaneWork, { orderNumber }: ReadInvoiceFile): Promise<CommandTurn> {
    const { language } = work.tenant;
    const order = await this.#orderId(work, orderNumber);
    if (order.kind !== 'read') return this.#failed(work, order);
    if (order.value === null) {
      return concludedUnsent(refused(language, { evidence: 'read-back', platform: null, code: 'ORDER_UNKNOWN' }));
    }
    const file = await this.platform.findInvoice(order.value, work.call);
    if (file.kind !== 'read') return this.#failed(work, file);
    const { mediaType, urls, answer } = file.value ?? { mediaType: null, urls: [], answer: null };
    const attached = file.value !== null;
    const data = { orderNumber, orderId: order.value, attached, mediaType, urls, answer };
    return concludedUnsent(applied('read-back', { data }));
  }

  async #orderId({ lane, call }: LaneWork, orderNumber: number): Promise<ReadAnswer<string | null>> {
    const known = await this.orderIds.find(lane.tenant, orderNumber);
    return known === null ? this.platform.findOrderId(orderNumber, call) : { kind: 'read', value: known };
  }

  /** A 4xx is the platform's refusal and is not tried again (rule 17); what gave nothing is, up to the deadline. */
  #failed(work: LaneWork, failed: Exclude<ReadAnswer<unknown>, { kind: 'read' }>): CommandTurn {
    if (failed.kind === 'unavailable') return this.#again(work, failed);
    const platform = { statusCode: failed.status, message: failed.message };
    return concludedUnsent(refused(work.tenant.language, { evidence: 'none', platform }));
  }

  #again({ command, tenant }: LaneWork, failed: NotDone): CommandTurn {
    const limits = { nowMs: this.clock.now(), deadlineMs: tenant.deadlines.commandMs };
    const next = afterFailedRead(readProgressFromText(command.progress), failed, limits);
    if (next.kind === 'silent') return concludedUnsent(unconfirmed(tenant.language));
    const outcome = { kind: 'wait', progress: JSON.stringify(next.progress) } as const;
    return { outcome, dueInMs: next.ms, knowledge: { operationIds: [] } };
  }
}
