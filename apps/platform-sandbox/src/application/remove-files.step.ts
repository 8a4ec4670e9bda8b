import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { refusedOnDemand, type CoreRefusal } from '../domain/core-error.ts';
import { laterThan } from '../domain/local-time.ts';
import { FILE_TYPES, type AttachedFile, type FileType } from '../domain/files/stored-file.ts';
import type { InvoiceFile } from '../domain/orders/order.ts';
import { FilesRepository } from '../outbound/files.repository.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import { OrdersRepository } from '../outbound/orders.repository.ts';
import { Clock } from './clock.ts';
import type { CoreStep } from './core.step.ts';
import { FileRefusals } from './file-refusals.ts';

/** JSON of the payload: some files of a reference, or all of an entity. */
export type RemovedFiles =
  | { readonly externalReference: string; readonly fileType: FileType; readonly ids: readonly string[] }
  | { readonly entityId: string };

const NOTHING_FOUND: CoreRefusal = { statusCode: 404, detail: 'File not found.', violations: [] };

/** Removes files in silence. What is not there is passed over; when nothing is, the removal is refused. */
@Injectable()
export class RemoveFiles implements CoreStep {
  readonly kind = 'file-removal';

  constructor(
    private readonly files: FilesRepository,
    private readonly orders: OrdersRepository,
    private readonly refusals: FileRefusals,
    private readonly clock: Clock,
  ) {}

  async apply(tx: Tx, operation: Operation): Promise<void> {
    const removed = JSON.parse(operation.payload) as RemovedFiles;
    const found = await this.find(tx, operation, removed);
    const refusal = refusedOnDemand(operation.directive) ?? (found.length === 0 ? NOTHING_FOUND : undefined);
    if (refusal) {
      const about =
        'entityId' in removed
          ? { fileType: found[0]?.fileType ?? FILE_TYPES.product, data: { id: removed.entityId } }
          : { fileType: removed.fileType, data: { externalReference: removed.externalReference } };
      await this.refusals.tell(tx, operation, about, refusal);
      return;
    }
    await this.files.remove(found, tx);
    await this.forgetInvoice(tx, found);
  }

  private async find(tx: Tx, { contractAccountId }: Operation, removed: RemovedFiles): Promise<AttachedFile[]> {
    if ('entityId' in removed) return this.files.attached({ contractAccountId, entityId: removed.entityId }, tx);
    const { externalReference, fileType, ids } = removed;
    const files = await this.files.attached({ contractAccountId, externalReference, fileType }, tx);
    return files.filter(({ id }) => ids.includes(id));
  }

  /** An order whose invoice's file went has the one before it, or none. */
  private async forgetInvoice(tx: Tx, removed: readonly AttachedFile[]): Promise<void> {
    const invoice = removed.find(({ fileType }) => fileType === FILE_TYPES.invoice);
    const order = invoice && (await this.orders.lock({ id: invoice.entityId }, tx));
    if (!order?.invoiceFile || removed.every(({ id }) => id !== order.invoiceFile?.id)) return;
    const left = await this.files.attached({ contractAccountId: order.contractAccountId, entityId: order.id }, tx);
    const [newest] = left.toReversed();
    const invoiceFile = newest ? invoiceFileOf(newest, left.length) : null;
    await this.orders.save({ ...order, invoiceFile, updatedAt: laterThan(order.updatedAt, this.clock.now()) }, tx);
  }
}

function invoiceFileOf({ id, fileName, mediaType, size, sha256 }: AttachedFile, uploads: number): InvoiceFile {
  return { id, fileName, mediaType, size, sha256, uploads };
}
