import { applied, refused, unconfirmed } from '@gondola/shared/results/conclusion';
import type { Language } from '@gondola/shared/results/reason-codes';
import type { ReadInvoiceFile } from '../commands/file-command.ts';
import { afterFailedRead, readProgressFromText } from './read-progress.ts';
import { type CommandTurn, concludedUnsent, type LaneWork } from '../lanes/command-turn.service.ts';
import type { CallOptions, PlatformAdapter, NotDone, ReadAnswer } from '../platform/platform.adapter.ts';
import type { OrderIdsRepository } from '../notifications/order-ids.repository.ts';

export interface ReadInvoiceParts {
  readonly orderIds: OrderIdsRepository;
  readonly platform: PlatformAdapter;
  readonly language: Language;
  /** How long a reading that gives nothing is tried again, in milliseconds. */
  readonly deadlineMs: number;
  readonly now: () => number;
}

/**
 * One step of a `ReadInvoice`: the order's GUID, by the notifications or else by the order's payload, and then its file
 * (rule 33).
 */
export class ReadInvoice {
  readonly #parts: ReadInvoiceParts;

  constructor(parts: ReadInvoiceParts) {
    this.#parts = parts;
  }

  async step(work: LaneWork, { orderNumber }: ReadInvoiceFile, options: CallOptions): Promise<CommandTurn> {
    const { platform, language } = this.#parts;
    const order = await this.#orderId(work, orderNumber, options);
    if (order.kind !== 'read') return this.#failed(work, order);
    if (order.value === null) {
      return concludedUnsent(refused(language, { evidence: 'read-back', platform: null, code: 'ORDER_UNKNOWN' }));
    }
    const file = await platform.findInvoice(order.value, options);
    if (file.kind !== 'read') return this.#failed(work, file);
    const { mediaType, urls, answer } = file.value ?? { mediaType: null, urls: [], answer: null };
    const attached = file.value !== null;
    const data = { orderNumber, orderId: order.value, attached, mediaType, urls, answer };
    return concludedUnsent(applied('read-back', { data }));
  }

  async #orderId(work: LaneWork, orderNumber: number, options: CallOptions): Promise<ReadAnswer<string | null>> {
    const { orderIds, platform } = this.#parts;
    const known = await orderIds.find(work.lane.tenant, orderNumber);
    return known === null ? platform.findOrderId(orderNumber, options) : { kind: 'read', value: known };
  }

  /** 4xx is the platform's no and is not tried again (rule 17); what gave nothing is, up to the deadline. */
  #failed({ command }: LaneWork, failed: Exclude<ReadAnswer<unknown>, { kind: 'read' }>): CommandTurn {
    const { language } = this.#parts;
    if (failed.kind === 'unavailable') return this.#again(command.progress, failed);
    const platform = { statusCode: failed.status, message: failed.message };
    return concludedUnsent(refused(language, { evidence: 'none', platform }));
  }

  #again(progressText: string | null, failed: NotDone): CommandTurn {
    const { now, deadlineMs, language } = this.#parts;
    const next = afterFailedRead(readProgressFromText(progressText), failed, { nowMs: now(), deadlineMs });
    if (next.kind === 'silent') return concludedUnsent(unconfirmed(language));
    const outcome = { kind: 'wait', progress: JSON.stringify(next.progress) } as const;
    return { outcome, dueInMs: next.ms, knowledge: { operationIds: [] } };
  }
}
