import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { Invoice } from '../domain/orders/invoice.ts';
import { invoiceable } from '../domain/orders/order-transitions.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import type { CoreStep } from './core.step.ts';
import { Invoicing } from './invoicing.ts';
import { OrderChanges } from './order-changes.ts';

/** JSON of the payload. */
export interface InvoiceRegistration {
  readonly orderNumber: number;
  readonly invoice: Invoice;
}

/** The data of an invoice, registered in silence; the same data again changes nothing, other data is refused. */
@Injectable()
export class RegisterInvoice implements CoreStep {
  readonly kind = 'invoice-registration';

  constructor(
    private readonly changes: OrderChanges,
    private readonly invoicing: Invoicing,
  ) {}

  async apply(tx: Tx, operation: Operation): Promise<void> {
    const { orderNumber, invoice } = JSON.parse(operation.payload) as InvoiceRegistration;
    const change = {
      operation,
      order: { number: orderNumber },
      failure: 'Operation_Failed',
      route: 'invoice',
    } as const;
    const order = await this.changes.begin(tx, change, (found) => invoiceable(found, invoice));
    if (order === undefined || order.invoice !== null) return;
    const registered = { ...invoice, transactionId: operation.operationId };
    await this.invoicing.store(tx, { ...order, invoice: registered }, operation.operationId);
  }
}
