import type { Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import { FILE_TYPES, type StoredFile } from '../domain/files/stored-file.ts';
import { laterThan, ticksOf } from '../domain/local-time.ts';
import type { Invoice } from '../domain/orders/invoice.ts';
import { ORDER_STATUSES } from '../domain/orders/order-status.ts';
import { becomesInvoiced, changeable, invoiceable } from '../domain/orders/order-transitions.ts';
import type { Order } from '../domain/orders/order.ts';
import { FilesRepository } from '../outbound/files.repository.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import { OrdersRepository } from '../outbound/orders.repository.ts';
import { Takes } from './core.step.ts';
import { MoveOrder } from './move-order.ts';
import { OrderChanges } from './order-changes.ts';
import { SwitchBoard } from './switch-board.ts';

export interface InvoiceRegistration {
  readonly orderNumber: number;
  readonly invoice: Invoice;
}

export interface InvoiceAttachment {
  readonly orderId: string;
  readonly file: StoredFile;
}

/** Data and file of an invoice, stored in silence: the second of the two makes an order 350. */
@Injectable()
export class InvoiceSteps {
  constructor(
    private readonly changes: OrderChanges,
    private readonly files: FilesRepository,
    private readonly orders: OrdersRepository,
    private readonly switches: SwitchBoard,
    private readonly moveOrder: MoveOrder,
    private readonly clock: Clock,
  ) {}

  /** The same data again changes nothing, other data is refused. */
  @Takes({ kind: 'invoice-registration', by: 'one' })
  async register(tx: Tx, operation: Operation): Promise<void> {
    const { orderNumber: number, invoice } = JSON.parse(operation.payload) as InvoiceRegistration;
    const change = { operation, order: { number }, failure: 'Operation_Failed', route: 'invoice' } as const;
    const order = await this.changes.begin(tx, change, (found) => invoiceable(found, invoice));
    if (order === undefined || order.invoice !== null) return;
    const registered = { ...invoice, transactionId: operation.operationId };
    await this.store(tx, { ...order, invoice: registered }, operation.operationId);
  }

  /** The newest file counts. */
  @Takes({ kind: 'invoice-file', by: 'one' })
  async attachFile(tx: Tx, operation: Operation): Promise<void> {
    const { orderId: id, file } = JSON.parse(operation.payload) as InvoiceAttachment;
    const change = { operation, order: { id }, failure: 'Operation_Failed', route: 'invoice/file' } as const;
    const order = await this.changes.begin(tx, change, changeable);
    if (order === undefined) return this.files.remove([file], tx);
    const place = { entityId: order.id, externalReference: String(order.number), displayOrder: null };
    await this.files.attach(file.id, { fileType: FILE_TYPES.invoice, ...place }, tx);
    const uploads = (order.invoiceFile?.uploads ?? 0) + 1;
    return this.store(tx, { ...order, invoiceFile: { ...file, uploads } }, operation.operationId);
  }

  /** Notified only if the order becomes 350. */
  private async store(tx: Tx, order: Order, operationId: string): Promise<void> {
    if (this.switches.behaviour.invoicedByItself && becomesInvoiced(order)) {
      await this.moveOrder.inTransaction(tx, order, ORDER_STATUSES.ORDER_INVOICED, operationId);
      return;
    }
    await this.orders.save({ ...order, updatedAt: laterThan(order.updatedAt, ticksOf(this.clock.now())) }, tx);
  }
}
