import type { Core } from '../core/core.service.ts';
import type { Operation } from '../core/operation.ts';
import type { Files } from '../files/files.service.ts';
import { FILE_TYPES, type AttachedFile, type FileType } from '../files/stored-file.ts';
import type { Orders } from '../orders/orders.service.ts';
import type { Products } from '../products/products.service.ts';
import type { Clock } from '../runtime/clock.service.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import type { JsonObject } from '../values/exact-json.ts';
import { laterThan, ticksOf } from '../values/local-time.ts';
import { refusedOnDemand, type CoreRefusal } from '../values/refusal.ts';
import type { RelatedEntity } from '../webhooks/notification.ts';
import type { Notifier } from '../webhooks/notifier.service.ts';
import { linkedUpload, placeImages, type ImageLinking, type ImageUpload } from './file-calls.ts';

/** Some files of a reference, or all files of an entity. */
export type RemovedFiles =
  | { readonly externalReference: string; readonly fileType: FileType; readonly ids: readonly string[] }
  | { readonly entityId: string };

export interface FileChangeServices {
  readonly core: Core;
  readonly products: Products;
  readonly files: Files;
  readonly orders: Orders;
  readonly notifier: Notifier;
  readonly switches: SwitchBoard;
  readonly clock: Clock;
}

/**
 * Has the core attach and undo images of a SKU, and remove files of any entity, without notification or with a refusal.
 */
export function takeFileChanges(services: FileChangeServices): void {
  const changes = new FileChanges(services);
  const { core } = services;
  core.take('images', (operation) => changes.attachImages(operation));
  core.take('images-linking', (operation) => changes.linkImages(operation));
  core.take('images-undo', (operation) => changes.undoImages(operation));
  core.take('file-removal', (operation) => changes.removeFiles(operation));
}

class FileChanges {
  constructor(private readonly services: FileChangeServices) {}

  /** Attaches the images of one upload, all or none. */
  attachImages(operation: Operation): void {
    const upload = JSON.parse(operation.payload) as ImageUpload;
    const isDone = this.ofSku(operation, upload, () => this.attach(operation, upload));
    if (!isDone) this.services.files.remove(upload.files);
  }

  private attach({ contractAccountId }: Operation, upload: ImageUpload): CoreRefusal | undefined {
    const { files, products } = this.services;
    const { externalReference } = upload;
    const found = products.findSku(contractAccountId, externalReference);
    if (found === undefined) return notFound('SKU not found.');
    const entityId = found.sku.id;
    const present = files.attached(contractAccountId, { entityId });
    const plan = placeImages(upload, Math.max(0, ...present.map(({ displayOrder }) => displayOrder ?? 0)));
    if (plan.kind === 'refused') return plan.refusal;
    for (const { file, displayOrder } of plan.images) {
      files.attach(file.id, { fileType: FILE_TYPES.sku, entityId, externalReference, displayOrder });
    }
    return undefined;
  }

  /** Links files placed by SFTP, all that the call names or none; after a refusal they stay placed. */
  linkImages(operation: Operation): void {
    const linking = JSON.parse(operation.payload) as ImageLinking;
    this.ofSku(operation, linking, () => this.link(operation, linking));
  }

  private link(operation: Operation, linking: ImageLinking): CoreRefusal | undefined {
    const placed = this.services.files.placed(operation.contractAccountId);
    const linked = linkedUpload(linking, placed, this.services.switches.behaviour.placedNames);
    return linked.kind === 'refused' ? linked.refusal : this.attach(operation, linked.upload);
  }

  /** For each file that is sent again, removes the SKU's newest image with the same bytes and order. */
  undoImages(operation: Operation): void {
    const upload = JSON.parse(operation.payload) as ImageUpload;
    this.ofSku(operation, upload, () => this.undo(operation, upload));
    // The uploads of this call are only needed for the comparison.
    this.services.files.remove(upload.files);
  }

  private undo({ contractAccountId }: Operation, upload: ImageUpload): CoreRefusal | undefined {
    const { externalReference, files, orders } = upload;
    let present = this.services.files.attached(contractAccountId, { externalReference, fileType: FILE_TYPES.sku });
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
    this.services.files.remove(undone);
    return undefined;
  }

  /** Removes files and skips unknown ones; if all are unknown, the removal is refused. */
  removeFiles(operation: Operation): void {
    const removed = JSON.parse(operation.payload) as RemovedFiles;
    const found = this.find(operation, removed);
    const missing = found.length === 0 ? notFound('File not found.') : undefined;
    const refusal = refusedOnDemand(operation.directive) ?? missing;
    if (refusal === undefined) {
      this.services.files.remove(found);
      this.forgetInvoice(found);
    } else if ('entityId' in removed) {
      this.refuse(operation, found[0]?.fileType ?? FILE_TYPES.product, { id: removed.entityId }, refusal);
    } else {
      const { externalReference, fileType } = removed;
      this.refuse(operation, fileType, { externalReference }, refusal);
    }
  }

  private find({ contractAccountId }: Operation, removed: RemovedFiles): AttachedFile[] {
    const { files } = this.services;
    if ('entityId' in removed) return files.attached(contractAccountId, { entityId: removed.entityId });
    const { externalReference, fileType, ids } = removed;
    return files.attached(contractAccountId, { externalReference, fileType }).filter(({ id }) => ids.includes(id));
  }

  /** After the removal of an invoice's file, its order has the previous file, or none. */
  private forgetInvoice(removed: readonly AttachedFile[]): void {
    const { orders, files, clock } = this.services;
    const invoice = removed.find(({ fileType }) => fileType === FILE_TYPES.invoice);
    const order = invoice && orders.find({ id: invoice.entityId });
    if (!order?.invoiceFile || removed.every(({ id }) => id !== order.invoiceFile?.id)) return;
    const left = files.attached(order.contractAccountId, { entityId: order.id });
    const newest = left.at(-1);
    const invoiceFile = newest ? { ...fileOf(newest), uploads: left.length } : null;
    orders.save({ ...order, invoiceFile, updatedAt: laterThan(order.updatedAt, ticksOf(clock.now())) });
  }

  /** True if the change was made; if not, the refusal is notified. */
  private ofSku(
    operation: Operation,
    { externalReference }: Pick<ImageUpload, 'externalReference'>,
    act: () => CoreRefusal | undefined,
  ): boolean {
    const refusal = refusedOnDemand(operation.directive) ?? act();
    if (refusal) this.refuse(operation, FILE_TYPES.sku, { externalReference }, refusal);
    return refusal === undefined;
  }

  /** Notifies a refusal. Files have no failure event of their own; `data` names the entity. */
  private refuse(operation: Operation, fileType: FileType, data: JsonObject, refusal: CoreRefusal): void {
    const relatedEntity = relatedEntityOf(fileType);
    const about = { relatedEntity, eventType: 'Operation_Failed', data, route: 'files' } as const;
    this.services.notifier.refuse(operation, about, refusal);
  }
}

/** Entity that a notification about the file names, because files are no entity of notifications. */
function relatedEntityOf(fileType: FileType): RelatedEntity {
  if (fileType === FILE_TYPES.category) return 'Category';
  return fileType === FILE_TYPES.invoice ? 'Order' : 'ProductWithSKUs';
}

function fileOf({ id, fileName, mediaType, size, sha256 }: AttachedFile) {
  return { id, fileName, mediaType, size, sha256 };
}

function notFound(detail: string): CoreRefusal {
  return { statusCode: 404, detail, violations: [] };
}
