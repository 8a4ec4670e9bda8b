import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { FILE_TYPES, type StoredFile } from '../domain/files/stored-file.ts';
import { changeable } from '../domain/orders/order-transitions.ts';
import { FilesRepository } from '../outbound/files.repository.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import type { CoreStep } from './core.step.ts';
import { Invoicing } from './invoicing.ts';
import { OrderChanges } from './order-changes.ts';

/** JSON of the payload. */
export interface InvoiceAttachment {
  readonly orderId: string;
  readonly file: StoredFile;
}

/** The file of an invoice, attached in silence; the newest one counts. */
@Injectable()
export class AttachInvoice implements CoreStep {
  readonly kind = 'invoice-file';

  constructor(
    private readonly changes: OrderChanges,
    private readonly files: FilesRepository,
    private readonly invoicing: Invoicing,
  ) {}

  async apply(tx: Tx, operation: Operation): Promise<void> {
    const { orderId, file } = JSON.parse(operation.payload) as InvoiceAttachment;
    const change = { operation, order: { id: orderId }, failure: 'Operation_Failed', route: 'invoice/file' } as const;
    const order = await this.changes.begin(tx, change, changeable);
    if (order === undefined) {
      await this.files.remove([file], tx);
      return;
    }
    const place = { entityId: order.id, externalReference: String(order.number), displayOrder: null };
    await this.files.attach(file.id, { fileType: FILE_TYPES.invoice, ...place }, tx);
    const uploads = (order.invoiceFile?.uploads ?? 0) + 1;
    await this.invoicing.store(tx, { ...order, invoiceFile: { ...file, uploads } }, operation.operationId);
  }
}
