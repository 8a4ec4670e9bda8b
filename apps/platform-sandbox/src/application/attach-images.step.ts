import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { refusedOnDemand, type CoreRefusal } from '../domain/core-error.ts';
import { placeImages, type ImageUpload } from '../domain/files/image-plan.ts';
import { FILE_TYPES } from '../domain/files/stored-file.ts';
import { FilesRepository } from '../outbound/files.repository.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import { ProductsRepository } from '../outbound/products.repository.ts';
import type { CoreStep } from './core.step.ts';
import { FileRefusals } from './file-refusals.ts';

const UNKNOWN_SKU: CoreRefusal = { statusCode: 404, detail: 'SKU not found.', violations: [] };

/** The images of one upload, linked to their SKU in silence, or refused together. */
@Injectable()
export class AttachImages implements CoreStep {
  readonly kind = 'images';

  constructor(
    private readonly products: ProductsRepository,
    private readonly files: FilesRepository,
    private readonly refusals: FileRefusals,
  ) {}

  async apply(tx: Tx, operation: Operation): Promise<void> {
    const upload = JSON.parse(operation.payload) as ImageUpload;
    const refusal = refusedOnDemand(operation.directive) ?? (await this.attach(tx, operation, upload));
    if (refusal === undefined) return;
    await this.files.remove(upload.files, tx);
    const data = { externalReference: upload.externalReference };
    await this.refusals.tell(tx, operation, { fileType: FILE_TYPES.sku, data }, refusal);
  }

  private async attach(
    tx: Tx,
    { contractAccountId }: Operation,
    upload: ImageUpload,
  ): Promise<CoreRefusal | undefined> {
    const { externalReference } = upload;
    const product = await this.products.findBySku(contractAccountId, externalReference, tx);
    const sku = product?.skus.find((one) => one.externalReference === externalReference);
    if (sku === undefined) return UNKNOWN_SKU;
    const present = await this.files.attached({ contractAccountId, entityId: sku.id }, tx);
    const plan = placeImages(upload, Math.max(0, ...present.map(({ displayOrder }) => displayOrder ?? 0)));
    if (plan.kind === 'refused') return plan.refusal;
    for (const { file, displayOrder } of plan.images) {
      const place = { fileType: FILE_TYPES.sku, entityId: sku.id, externalReference, displayOrder };
      await this.files.attach(file.id, place, tx);
    }
    return undefined;
  }
}
