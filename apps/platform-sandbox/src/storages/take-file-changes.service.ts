import type { Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import { refusedOnDemand, type CoreRefusal } from '../core/core-error.ts';
import type { Operation } from '../core/operations.repository.ts';
import { Takes } from '../core/takes.decorator.ts';
import { FilesRepository } from '../files/files.repository.ts';
import { FILE_TYPES, relatedEntityOf, type AttachedFile, type FileType } from '../files/stored-file.ts';
import { OrdersRepository } from '../orders/orders.repository.ts';
import { ProductsRepository } from '../products/products.repository.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import type { JsonObject } from '../values/exact-json.ts';
import { laterThan, ticksOf } from '../values/local-time.ts';
import { Notifier } from '../webhooks/notifier.service.ts';
import { linkedUpload, placeImages, type ImageLinking, type ImageUpload } from './file-calls.ts';

/** Some files of a reference, or all files of an entity. */
export type RemovedFiles =
  | { readonly externalReference: string; readonly fileType: FileType; readonly ids: readonly string[] }
  | { readonly entityId: string };

/** Attaches and undoes images of a SKU, and removes files of any entity, without notification or with a refusal. */
@Injectable()
export class TakeFileChanges {
  constructor(
    private readonly products: ProductsRepository,
    private readonly files: FilesRepository,
    private readonly orders: OrdersRepository,
    private readonly notifier: Notifier,
    private readonly switches: SwitchBoard,
    private readonly clock: Clock,
  ) {}

  /** Attaches the images of one upload, all or none. */
  @Takes({ kind: 'images', by: 'one' })
  async attachImages(tx: Tx, operation: Operation): Promise<void> {
    const upload = JSON.parse(operation.payload) as ImageUpload;
    const isDone = await this.ofSku(tx, operation, upload, () => this.attach(tx, operation, upload));
    if (!isDone) await this.files.remove(upload.files, tx);
  }

  private async attach(
    tx: Tx,
    { contractAccountId }: Operation,
    upload: ImageUpload,
  ): Promise<CoreRefusal | undefined> {
    const { externalReference } = upload;
    const found = await this.products.findSku(contractAccountId, externalReference, tx);
    if (found === undefined) return notFound('SKU not found.');
    const entityId = found.sku.id;
    const present = await this.files.attached({ contractAccountId, entityId }, tx);
    const plan = placeImages(upload, Math.max(0, ...present.map(({ displayOrder }) => displayOrder ?? 0)));
    if (plan.kind === 'refused') return plan.refusal;
    for (const { file, displayOrder } of plan.images) {
      const place = { fileType: FILE_TYPES.sku, entityId, externalReference, displayOrder };
      await this.files.attach(file.id, place, tx);
    }
    return undefined;
  }

  /** Links files placed by SFTP, all that the call names or none; after a refusal they stay placed. */
  @Takes({ kind: 'images-linking', by: 'one' })
  async linkImages(tx: Tx, operation: Operation): Promise<void> {
    const linking = JSON.parse(operation.payload) as ImageLinking;
    await this.ofSku(tx, operation, linking, () => this.link(tx, operation, linking));
  }

  private async link(tx: Tx, operation: Operation, linking: ImageLinking): Promise<CoreRefusal | undefined> {
    const placed = await this.files.placed({ contractAccountId: operation.contractAccountId }, tx);
    const linked = linkedUpload(linking, placed, this.switches.behaviour.placedNames);
    return linked.kind === 'refused' ? linked.refusal : this.attach(tx, operation, linked.upload);
  }

  /** For each file that is sent again, removes the SKU's newest image with the same bytes and order. */
  @Takes({ kind: 'images-undo', by: 'one' })
  async undoImages(tx: Tx, operation: Operation): Promise<void> {
    const upload = JSON.parse(operation.payload) as ImageUpload;
    await this.ofSku(tx, operation, upload, () => this.undo(tx, operation, upload));
    // The uploads of this call are only needed for the comparison.
    await this.files.remove(upload.files, tx);
  }

  private async undo(tx: Tx, { contractAccountId }: Operation, upload: ImageUpload): Promise<CoreRefusal | undefined> {
    const { externalReference, files, orders } = upload;
    const where = { contractAccountId, externalReference, fileType: FILE_TYPES.sku };
    let present = await this.files.attached(where, tx);
    const undone: AttachedFile[] = [];
    for (const [index, { sha256 }] of files.entries()) {
      const order = orders[index];
      const match = present.findLast(
        (image) => image.sha256 === sha256 && (order === undefined || String(image.displayOrder) === order),
      );
      if (match === undefined) return notFound('No such upload found.');
      undone.push(match);
      present = present.filter((image) => image !== match);
    }
    await this.files.remove(undone, tx);
    return undefined;
  }

  /** Removes files and skips unknown ones; if all are unknown, the removal is refused. */
  @Takes({ kind: 'file-removal', by: 'one' })
  async removeFiles(tx: Tx, operation: Operation): Promise<void> {
    const removed = JSON.parse(operation.payload) as RemovedFiles;
    const found = await this.find(tx, operation, removed);
    const missing = found.length === 0 ? notFound('File not found.') : undefined;
    const refusal = refusedOnDemand(operation.directive) ?? missing;
    if (refusal === undefined) {
      await this.files.remove(found, tx);
      await this.forgetInvoice(tx, found);
    } else if ('entityId' in removed) {
      const fileType = found[0]?.fileType ?? FILE_TYPES.product;
      await this.refuse(tx, operation, fileType, { id: removed.entityId }, refusal);
    } else {
      const { externalReference, fileType } = removed;
      await this.refuse(tx, operation, fileType, { externalReference }, refusal);
    }
  }

  private async find(tx: Tx, { contractAccountId }: Operation, removed: RemovedFiles): Promise<AttachedFile[]> {
    if ('entityId' in removed) return this.files.attached({ contractAccountId, entityId: removed.entityId }, tx);
    const { externalReference, fileType, ids } = removed;
    const files = await this.files.attached({ contractAccountId, externalReference, fileType }, tx);
    return files.filter(({ id }) => ids.includes(id));
  }

  /** After the removal of an invoice's file, its order has the previous file, or none. */
  private async forgetInvoice(tx: Tx, removed: readonly AttachedFile[]): Promise<void> {
    const invoice = removed.find(({ fileType }) => fileType === FILE_TYPES.invoice);
    const order = invoice && (await this.orders.lock({ id: invoice.entityId }, tx));
    if (!order?.invoiceFile || removed.every(({ id }) => id !== order.invoiceFile?.id)) return;
    const left = await this.files.attached({ contractAccountId: order.contractAccountId, entityId: order.id }, tx);
    const newest = left.at(-1);
    const invoiceFile = newest ? { ...fileOf(newest), uploads: left.length } : null;
    await this.orders.save(
      { ...order, invoiceFile, updatedAt: laterThan(order.updatedAt, ticksOf(this.clock.now())) },
      tx,
    );
  }

  /** True if the change was made; if not, the refusal is notified. */
  private async ofSku(
    tx: Tx,
    operation: Operation,
    { externalReference }: Pick<ImageUpload, 'externalReference'>,
    act: () => Promise<CoreRefusal | undefined>,
  ): Promise<boolean> {
    const refusal = refusedOnDemand(operation.directive) ?? (await act());
    if (refusal) await this.refuse(tx, operation, FILE_TYPES.sku, { externalReference }, refusal);
    return refusal === undefined;
  }

  /** Notifies a refusal. Files have no failure event of their own; `data` names the entity. */
  private async refuse(
    tx: Tx,
    operation: Operation,
    fileType: FileType,
    data: JsonObject,
    refusal: CoreRefusal,
  ): Promise<void> {
    const relatedEntity = relatedEntityOf(fileType);
    const about = { relatedEntity, eventType: 'Operation_Failed', data, route: 'files' } as const;
    await this.notifier.refuse(tx, operation, about, refusal);
  }
}

function fileOf({ id, fileName, mediaType, size, sha256 }: AttachedFile) {
  return { id, fileName, mediaType, size, sha256 };
}

function notFound(detail: string): CoreRefusal {
  return { statusCode: 404, detail, violations: [] };
}
