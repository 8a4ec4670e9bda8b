import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { refusedOnDemand, type CoreRefusal } from '../domain/core-error.ts';
import type { ImageUpload } from '../domain/files/image-plan.ts';
import { FILE_TYPES, type AttachedFile } from '../domain/files/stored-file.ts';
import { FilesRepository } from '../outbound/files.repository.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import type { CoreStep } from './core.step.ts';
import { FileRefusals } from './file-refusals.ts';

const NO_SUCH_UPLOAD: CoreRefusal = { statusCode: 404, detail: 'No such upload found.', violations: [] };

/**
 * Undoes an upload: of each file that is sent again, the newest image of the SKU with the same bytes and order goes.
 */
@Injectable()
export class UndoImages implements CoreStep {
  readonly kind = 'images-undo';

  constructor(
    private readonly files: FilesRepository,
    private readonly refusals: FileRefusals,
  ) {}

  async apply(tx: Tx, operation: Operation): Promise<void> {
    const upload = JSON.parse(operation.payload) as ImageUpload;
    const refusal = refusedOnDemand(operation.directive) ?? (await this.undo(tx, operation, upload));
    // What came with the call was only to be compared.
    await this.files.remove(upload.files, tx);
    if (refusal === undefined) return;
    const data = { externalReference: upload.externalReference };
    await this.refusals.tell(tx, operation, { fileType: FILE_TYPES.sku, data }, refusal);
  }

  private async undo(tx: Tx, { contractAccountId }: Operation, upload: ImageUpload): Promise<CoreRefusal | undefined> {
    const { externalReference, files, orders } = upload;
    let present = await this.files.attached({ contractAccountId, externalReference, fileType: FILE_TYPES.sku }, tx);
    const undone: AttachedFile[] = [];
    for (const [index, { sha256 }] of files.entries()) {
      const order = orders[index];
      const match = present.findLast(
        (image) => image.sha256 === sha256 && (order === undefined || String(image.displayOrder) === order),
      );
      if (match === undefined) return NO_SUCH_UPLOAD;
      undone.push(match);
      present = present.filter((image) => image !== match);
    }
    await this.files.remove(undone, tx);
    return undefined;
  }
}
