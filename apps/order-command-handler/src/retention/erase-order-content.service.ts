import { Commands } from '@gondola/lanes/commands/commands';
import {
  type ErasedContent,
  type ErasedOrder,
  OrderContent,
  type StoredOn,
} from '@gondola/lanes/erased-orders/order-content';
import { Lanes, laneText } from '@gondola/lanes/lanes/lanes';
import type { Tx } from '@gondola/service-kit/database/database';
import type { TopicName } from '@gondola/shared/topics/topics';
import { Injectable } from '@nestjs/common';
import { FISCAL_COMMANDS } from '../commands/order-commands.ts';
import { PdfResultsRepository } from '../pdf-results/pdf-results.repository.ts';
import { OrderFactsRepository } from '../facts/order-facts.repository.ts';
import { orderLane } from '../facts/order-lane.ts';
import { ORDER_COMMANDS, ORDER_EVENTS, ORDER_RESULTS } from '../orders/order-topics.ts';
import { OrdersRepository } from '../orders/orders.repository.ts';
import { type JsonRecord, parseRecord, recordOrNull, stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { redactOrder } from '@gondola/shared/orders/redact-order';
import { addressOf, customerOf } from '../facts/order-values.ts';

/**
 * Erases this app's content of an order: its facts, the hashes of its published values, its commands' records and the
 * results of their PDFs.
 */
@Injectable()
export class EraseOrderContent extends OrderContent {
  readonly topics = [ORDER_EVENTS, ORDER_RESULTS, ORDER_COMMANDS];

  constructor(
    private readonly lanes: Lanes,
    private readonly commands: Commands,
    private readonly facts: OrderFactsRepository,
    private readonly orders: OrdersRepository,
    private readonly pdfResults: PdfResultsRepository,
  ) {
    super();
  }

  /** Creates the lane if there is none: its lock makes notifications under way wait for the erasure. */
  async erase(tx: Tx, { tenant, orderNumber }: ErasedOrder): Promise<ErasedContent> {
    const lane = orderLane(tenant, orderNumber);
    const laneId = (await this.lanes.wake(tx, [lane])).get(laneText(lane))!;
    const facts = await this.eraseFacts(tx, laneId);
    const { erased: commands, open, staying } = await this.commands.eraseContent(tx, laneId, FISCAL_COMMANDS);
    await this.pdfResults.delete(tx, tenant, await this.commands.doneIn(tx, laneId));
    const stays: StoredOn[] = [
      { what: 'open commands', count: open, why: 'open' },
      { what: 'invoices (RegisterInvoice)', count: staying, why: 'fiscal' },
    ];
    return { erased: { facts, commands }, stays: stays.filter(({ count }) => count > 0) };
  }

  override withoutPeople(topic: TopicName, value: Uint8Array): Buffer | null {
    return topic === ORDER_EVENTS ? eventWithoutPeople(value) : null;
  }

  /** Removes personal data from the facts and the hashes of published values; the lane is locked. */
  async eraseFacts(tx: Tx, laneId: string): Promise<number> {
    const erased = await this.facts.redact(tx, laneId);
    if (erased > 0) await this.orders.forgetParts(tx, laneId);
    return erased;
  }
}

const NOBODY = { customer: customerOf({}), address: addressOf({}), payments: [] } as unknown as JsonRecord;

/** An order event that is not published yet, as it is made after the order's erasure; null if it is no event. */
export function eventWithoutPeople(value: Uint8Array): Buffer | null {
  const event = parseRecord(value);
  if (event === null) return null;
  const order = recordOrNull(event['order']);
  const platform = recordOrNull(event['platform']);
  const redacted = platform === null ? null : parseRecord(redactOrder(Buffer.from(stringifyWithDigits(platform))));
  return Buffer.from(
    stringifyWithDigits({ ...event, ...(order !== null && { order: { ...order, ...NOBODY } }), platform: redacted }),
  );
}
