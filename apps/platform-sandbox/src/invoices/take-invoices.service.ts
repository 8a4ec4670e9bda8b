import type { Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import type { Operation } from '../core/operations.repository.ts';
import { Takes } from '../core/takes.decorator.ts';
import { FilesRepository } from '../files/files.repository.ts';
import { FILE_TYPES, type StoredFile } from '../files/stored-file.ts';
import { MoveOrder } from '../orders/move-order.service.ts';
import { OrderChanges } from '../orders/order-changes.service.ts';
import { ORDER_STATUSES } from '../orders/order-status.ts';
import { becomesInvoiced, changeable, invoiceable } from '../orders/order-transitions.ts';
import type { Order } from '../orders/order.ts';
import { OrdersRepository } from '../orders/orders.repository.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import { laterThan, ticksOf } from '../values/local-time.ts';
import type { Invoice } from './invoice.ts';

export interface InvoiceRegistration {
  readonly orderNumber: number;
  readonly invoice: Invoice;
}

export interface InvoiceAttachment {
  readonly orderId: string;
  readonly file: StoredFile;
}

/** Data and file of an order's invoice, in any sequence. */
@Injectable()
export class TakeInvoices {
  constructor(
    private readonly changes: OrderChanges,
    private readonly moveOrder: MoveOrder,
    private readonly orders: OrdersRepository,
    private readonly files: FilesRepository,
    private readonly switches: SwitchBoard,
    private readonly clock: Clock,
  ) {}

  /** Stores without a notification; the same data again changes nothing, other data is refused. */
  @Takes({ kind: 'invoice-registration', by: 'one' })
  async registerInvoice(tx: Tx, operation: Operation): Promise<void> {
    const { orderNumber: number, invoice } = JSON.parse(operation.payload) as InvoiceRegistration;
    const change = { operation, order: { number }, failure: 'Operation_Failed', route: 'invoice' } as const;
    const order = await this.changes.begin(tx, change, (found) => invoiceable(found, invoice));
    if (order === undefined || order.invoice !== null) return;
    const registered = { ...invoice, transactionId: operation.operationId };
    await this.storeInvoiced(tx, { ...order, invoice: registered }, operation.operationId);
  }

  /** Stores without a notification; the newest file counts. */
  @Takes({ kind: 'invoice-file', by: 'one' })
  async attachInvoiceFile(tx: Tx, operation: Operation): Promise<void> {
    const { orderId: id, file } = JSON.parse(operation.payload) as InvoiceAttachment;
    const change = { operation, order: { id }, failure: 'Operation_Failed', route: 'invoice/file' } as const;
    const order = await this.changes.begin(tx, change, changeable);
    if (order === undefined) return this.files.remove([file], tx);
    const place = { entityId: order.id, externalReference: String(order.number), displayOrder: null };
    await this.files.attach(file.id, { fileType: FILE_TYPES.invoice, ...place }, tx);
    const uploads = (order.invoiceFile?.uploads ?? 0) + 1;
    return this.storeInvoiced(tx, { ...order, invoiceFile: { ...file, uploads } }, operation.operationId);
  }

  /** The second of registration and file changes the order to 350; only this change is notified. */
  private async storeInvoiced(tx: Tx, order: Order, operationId: string): Promise<void> {
    if (this.switches.behaviour.invoicedByItself && becomesInvoiced(order)) {
      await this.moveOrder.inTransaction(tx, order, ORDER_STATUSES.ORDER_INVOICED, operationId);
      return;
    }
    await this.orders.save({ ...order, updatedAt: laterThan(order.updatedAt, ticksOf(this.clock.now())) }, tx);
  }
}
